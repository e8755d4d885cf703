// The Audit view: texts go to a worker with a Wasm module of its own, HTML comes back. Loaded when the view is first opened.
//
// What is judged and shown is decided in the worker (src/auditor); here are only the things of the browser: files, the clipboard, and
// the form, which is read as it stands. Nothing is sent anywhere.

import { element, formTexts, save, styled } from "./view.js";

// Texts beyond this are not even handed over; the reader's own limit is the same.
const MAX_BYTES = 10 << 20;

const view = document.createElement("main");
view.id = "audit";
view.className = "hr-desk";
view.tabIndex = -1;
view.innerHTML = '<h1 class="hr-vh">Audit of a configuration</h1><p class="hr-sub hr-desk__wait" role="status">Loading the reader.</p>';

styled("audit.css");

const picker = document.createElement("input");
picker.type = "file";
picker.multiple = true;
picker.accept = ".yaml,.yml,.json,.txt,.log,.conf";

let files = [];
let sent; // the form's texts as they were last sent
const waiting = []; // requests that came while the worker was busy
let busy = true; // until the worker says that it listens
let example; // the texts of the worked example, which say nothing about a pasted file

const worker = new Worker(new URL("audit-worker.js", import.meta.url));
worker.addEventListener("error", () => {
  view.innerHTML = '<p class="hr-sub hr-desk__wait" role="alert">The reader could not be loaded. Reload the page to try again.</p>';
});
worker.addEventListener("message", ({ data }) => {
  busy = false;
  if (data) show(...data);
  else waiting.unshift(["", undefined]);
  const next = waiting.shift();
  if (next) ask(...next);
});

// Asks the worker for something. While it works, requests wait in line; of those that only bring texts or inputs, the last one counts.
function ask(action, texts) {
  if (busy) {
    const last = waiting.at(-1);
    if (last && !last[0] && !action) last[1] = texts ?? last[1];
    else waiting.push([action, texts]);
    return;
  }
  busy = true;
  view.setAttribute("aria-busy", "true");
  const now = formTexts();
  const inputs = JSON.stringify(now) === example ? [] : now;
  const changed = JSON.stringify(inputs) !== sent;
  sent = JSON.stringify(inputs);
  worker.postMessage([action, texts ?? null, changed ? inputs : null]);
}

function show(changes, texts, said, go, fill) {
  view.removeAttribute("aria-busy");
  const focused = document.activeElement?.id;
  const open = new Set([...view.querySelectorAll("details[open]")].map(({ id }) => id));
  for (const [id, html] of changes) {
    const place = element(id);
    if (place) place.innerHTML = html;
  }
  for (const details of view.querySelectorAll("details")) details.open ||= open.has(details.id);
  if (texts) files = texts;
  // The worker leaves the text of the file to us, so that nothing is exchanged under someone who types.
  const typing = element("audit-text");
  if (typing && changes.length) typing.value = files[shownFile()]?.[1] ?? "";
  if (focused && document.activeElement?.id !== focused && view.contains(element(focused))) element(focused).focus();
  if (said) element("announcer").textContent = said;
  if (go) element(go)?.focus();
  if (fill.length) fillForm(fill);
}

const shownFile = () => Math.max(0, [...view.querySelectorAll('[id^="file-"]')].findIndex((tab) => tab.ariaPressed === "true"));

// The form still shows the worked example: what the file says takes its place, and the rest is asked for.
function fillForm(fill) {
  const known = new Map(fill);
  example = undefined;
  for (const input of document.querySelectorAll("#form :is(input, select)[name]")) {
    const text = known.get(input.name) ?? (input.matches("select") ? undefined : "");
    if (text === undefined || input.type === "checkbox" || input.value === text) continue;
    input.value = text;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
  ask("");
}

async function read(list) {
  const read = [];
  for (const file of list) {
    read.push([file.name, file.size > MAX_BYTES ? `# ${file.name} has ${file.size} bytes; at most ${MAX_BYTES} are read.` : await file.text()]);
  }
  if (read.length) take(read);
}

function take(texts) {
  files = texts;
  ask("", files);
}

async function copy() {
  const text = files[shownFile()]?.[1] ?? "";
  const label = element("audit-copied");
  try {
    await navigator.clipboard.writeText(text);
    label.textContent = "Copied";
  } catch {
    if (!element("audit-text")) ask("edit");
    label.textContent = "Press Ctrl+C";
    setTimeout(() => element("audit-text")?.select(), 100);
  }
  setTimeout(() => (label.textContent = "Copy text"), 2000);
}

function saveShown() {
  const [name, text] = files[shownFile()] ?? ["audit.yaml", ""];
  save(name.replace(/^.*[/\\]/, ""), text, "application/yaml");
}

view.addEventListener("click", ({ target }) => {
  const what = target.closest("[data-do]")?.dataset.do ?? "";
  if (what === "audit-pick") picker.click();
  else if (what === "audit-copy") copy();
  else if (what === "audit-save") saveShown();
  else if (what.startsWith("audit ")) {
    // The example is the worked example's own configuration, so its traffic counts.
    if (what === "audit example") example = undefined;
    ask(what.slice(6));
  }
});
picker.addEventListener("change", () => read(picker.files).then(() => (picker.value = "")));

let typed;
view.addEventListener("input", ({ target }) => {
  if (target.id !== "audit-text") return;
  clearTimeout(typed);
  typed = setTimeout(() => {
    const at = shownFile();
    const name = files[at]?.[0] ?? "pasted.yaml";
    const texts = files.length ? files.map((file, index) => (index === at ? [name, target.value] : file)) : [[name, target.value]];
    // A text that is typed into the empty desk stays open for typing; one that is pasted is shown with its marks.
    if (!files.length && !pasted) ask("edit");
    pasted = false;
    take(texts);
  }, pasted ? 0 : 400);
});
let pasted = false;
view.addEventListener("paste", ({ target }) => (pasted = target.id === "audit-text" && !files.length));
for (const name of ["dragover", "drop"]) {
  view.addEventListener(name, (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    if (name === "drop") read(event.dataTransfer.files);
  });
}

// Whatever changes the form, a keystroke or a button, is seen by its texts.
let looked;
for (const name of ["input", "change", "click", "popstate"]) {
  addEventListener(name, () => {
    clearTimeout(looked);
    looked = setTimeout(() => {
      const now = JSON.stringify(formTexts());
      if (document.documentElement.dataset.view === "audit" && now !== sent && now !== example) ask("");
    }, 120);
  });
}

// Shows the view; `texts` are those of the worked example.
export function open(texts) {
  if (view.isConnected) return;
  example = texts;
  element("form").after(view);
}

export const texts = () => JSON.stringify(formTexts());
export const shown = () => files;
