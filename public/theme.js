// An address with ?embed is that of the calculator for frames, which is a page of its own.
if (new URLSearchParams(location.search).has("embed")) {
  window.stop();
  location.replace(new URL(`embed.html${location.search}${location.hash}`, document.baseURI));
}
// Applies the remembered theme before the first paint; src/ui/state/theme.rs writes it.
try {
  const theme = localStorage.getItem("headroom-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is blocked: the system's theme is right.
}
