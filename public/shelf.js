// Saved scenarios: a dialog over the page. Loaded when it is first asked for.
//
// What is kept and shown is decided in Rust (src/shelf), in a Wasm module of its own on this thread; here are only the things of the
// browser: the dialog, files, the address, and the form, which is read as it stands. Nothing is sent anywhere.
import init from "./headroom-shelf.js";
import { element, formTexts, save, styled } from "./view.js";

// A file beyond this is not even read; the limit of the shelf is the same.
const MAX_BYTES = 1 << 20;

const dialog = document.createElement("dialog");
dialog.id = "shelf";
dialog.className = "hr-shelf";
dialog.setAttribute("aria-labelledby", "h-shelf");
document.body.append(dialog);

const picker = document.createElement("input");
picker.type = "file";
picker.multiple = true;
picker.accept = ".json,application/json";

// The module puts its function on the dialog.
await Promise.all([init(), styled("shelf.css")]);

function ask(action, text = "", files = []) {
  const [panel, parts, focus, go, file] = dialog.answer([action, text, formTexts(), files]);
  // A name that is half typed outlives what another tab does.
  const typing = action === "storage" ? element("shelf-rename") : null;
  const [typed, from, to] = [typing?.value, typing?.selectionStart, typing?.selectionEnd];
  const hadFocus = typing && document.activeElement === typing;
  if (panel !== null) dialog.innerHTML = panel;
  for (const [id, html] of parts) {
    const place = element(id);
    if (place && place.innerHTML !== html) place.innerHTML = html;
  }
  const field = element("shelf-rename");
  if (typing && field && field !== typing) {
    field.value = typed;
    if (hadFocus) field.focus();
    field.setSelectionRange(from, to);
  }
  if (file) save(...file, "application/json");
  if (go) return visit(go);
  if (!dialog.open) dialog.showModal();
  const focused = focus ? element(focus) : null;
  focused?.focus();
  if (focused?.matches("input")) focused.select();
}

// The page follows its address, so that the way back leads back.
function visit(link) {
  dialog.close();
  if (location.hash !== link) history.pushState(null, "", link);
  dispatchEvent(new PopStateEvent("popstate"));
}

async function read(list) {
  const files = [];
  for (const file of list) files.push([file.name, file.size > MAX_BYTES ? null : await file.text()]);
  if (files.length) ask("import", "", files);
}

dialog.addEventListener("click", ({ target }) => {
  const what = target.closest("[data-shelf]")?.dataset.shelf;
  if (what === "pick") picker.click();
  else if (what === "close" || target === dialog) dialog.close();
  else if (what) ask(what);
});
dialog.addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.target.id === "shelf-save") ask("save", element("shelf-name").value);
  else ask("renamed", element("shelf-rename").value);
});
dialog.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !element("shelf-renaming")) return;
  // It ends the renaming, not the dialog.
  event.preventDefault();
  ask("cancel");
});
picker.addEventListener("change", () => {
  // The same file can be chosen again, once it is mended.
  const list = [...picker.files];
  picker.value = "";
  read(list);
});
for (const name of ["dragover", "drop"]) {
  dialog.addEventListener(name, (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    if (name === "drop") read(event.dataTransfer.files);
  });
}
addEventListener("storage", () => dialog.open && ask("storage"));

export const open = () => ask("show");
