// Starts the page. The content security policy allows no inline script, so the build puts the two addresses into attributes.
import "./patch.js";

// A panic is a bare trap, after which the page stands still.
const say = (id, text) => {
  document.getElementById(id)?.remove();
  const note = document.createElement("p");
  note.id = id;
  note.role = "alert";
  note.textContent = text;
  note.style.cssText = "position: fixed; inset: auto 0 0; z-index: 9; padding: 1rem; background: var(--hr-surface)";
  document.body.append(note);
};
const stopped = (error) => {
  if (error instanceof WebAssembly.RuntimeError) say("stopped", "Headroom has stopped on an error of its own. Your inputs are in the address: reload to go on.");
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
const views = { size: "answer", audit: "audit", simulate: "sim", review: "review", embed: "maker" };
const asked = () => {
  const name = new URLSearchParams(location.search).get("view");
  return Object.hasOwn(views, name) ? name : "size";
};
let untouched;
async function show(name) {
  document.getElementById("lost")?.remove();
  if (name === "audit") {
    const audit = await import("./audit.js");
    untouched ??= location.hash ? "" : audit.texts();
    audit.open(untouched);
  }
  if (name === "simulate") (await import("./simulate.js")).open();
  if (name === "embed") (await import("./embed-maker.js")).open();
  if (name === "review") (await import("./review.js")).open();
  // Loading took its time: somebody may have gone on.
  if (name !== asked()) return;
  document.documentElement.dataset.view = name;
  for (const tab of document.querySelectorAll("[data-view-of]")) {
    if (tab.dataset.viewOf === name) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
  return true;
}
const lost = (error) => {
  say("lost", "This part could not be loaded. Check the connection and try again.");
  throw error;
};
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
  show(name).then((is) => is && document.getElementById(views[name])?.focus(), lost);
});
addEventListener("popstate", () => show(asked()).catch(lost));
// What helps and is not the page: terms that explain themselves, notes, the tour.
(self.requestIdleCallback ?? setTimeout)(() => import("./guide.js"));
addEventListener("click", ({ target }) => {
  if (!target.closest("#saved")) return;
  document.getElementById("lost")?.remove();
  import("./shelf.js").then(({ open }) => open(), lost);
});
if (asked() !== "size") await show(asked()).catch(lost);

// What stands around the program comes when it has come to rest. An embedded page has none of it.
if (!new URLSearchParams(location.search).has("embed")) (window.requestIdleCallback ?? setTimeout)(() => import("./frame.js"));
