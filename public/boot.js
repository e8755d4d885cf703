// Starts the page. The content security policy allows no inline script, so the build puts the two addresses into attributes.
// A panic is a bare trap, after which the page stands still.
const stopped = (error) => {
  if (!(error instanceof WebAssembly.RuntimeError) || document.getElementById("stopped")) return;
  const note = document.createElement("p");
  note.id = "stopped";
  note.role = "alert";
  note.textContent = "Headroom has stopped on an error of its own. Your inputs are in the address: reload to go on.";
  note.style.cssText = "position: fixed; inset: auto 0 0; z-index: 9; padding: 1rem; background: var(--hr-surface)";
  document.body.append(note);
};
addEventListener("error", ({ error }) => stopped(error));
addEventListener("unhandledrejection", ({ reason }) => stopped(reason));

const { js, wasm } = document.querySelector("script[data-wasm]").dataset;
try {
  const { default: start } = await import(new URL(js, document.baseURI));
  await start({ module_or_path: new URL(wasm, document.baseURI) });
} catch (error) {
  const state = document.querySelector("#page .hr-status span");
  if (state) state.textContent = "the inputs stay closed: this browser could not start the calculator";
  throw error;
}

// The views: the address says which one is shown, so that a link and the way back lead to it. All but the first are loaded when they are needed.
const views = { size: "answer", audit: "audit", simulate: "sim" };
const asked = () => {
  const name = new URLSearchParams(location.search).get("view");
  return name in views ? name : "size";
};
let untouched;
async function show(name) {
  if (name === "audit") {
    const audit = await import("./audit.js");
    untouched ??= location.hash ? "" : audit.texts();
    audit.open(untouched);
  }
  if (name === "simulate") (await import("./simulate.js")).open();
  document.documentElement.dataset.view = name;
  for (const tab of document.querySelectorAll("[data-view-of]")) {
    if (tab.dataset.viewOf === name) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
}
addEventListener("click", (event) => {
  const tab = event.target.closest("[data-view-of]");
  if (!tab || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const name = tab.dataset.viewOf;
  if (name !== asked()) {
    const address = new URL(location);
    address.search = name === "size" ? "" : `?view=${name}`;
    history.pushState(null, "", address);
  }
  show(name).then(() => document.getElementById(views[name])?.focus());
});
addEventListener("popstate", () => show(asked()));
if (asked() !== "size") await show(asked());
