// The theme that the address asks for, before the first paint; everything else about the address is judged by the calculator.
const theme = new URLSearchParams(location.search).get("theme");
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
