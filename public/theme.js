// Applies the remembered theme before the first paint; src/ui/state/theme.rs writes it.
try {
  const theme = localStorage.getItem("headroom-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is blocked: the system's theme is right.
}
