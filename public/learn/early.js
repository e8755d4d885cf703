// Before the first paint: colors as asked for (?theme=) or as remembered, and the plain form for a frame (?embed), which reads no storage.
(() => {
  const asked = new URLSearchParams(location.search);
  const root = document.documentElement;
  let theme = asked.get("theme");
  if (asked.has("embed")) root.dataset.embed = "";
  else if (!theme) {
    try {
      theme = localStorage.getItem("headroom-theme");
    } catch {
      // Storage is blocked: the system's theme is right.
    }
  }
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
})();
