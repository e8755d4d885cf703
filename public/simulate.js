// The Simulate view: texts go to a worker with a Wasm module of its own, HTML comes back. Loaded when the view is first opened.
//
// What is played and shown is decided in the worker (src/simulator); here are only the things of the browser: the form's texts, the
// address, the width of the charts, files, the clipboard. While there is something to play the page asks for the next slice as soon as
// one is answered, so the worker hears everything that happens here within a slice. Nothing is sent anywhere.

import { element, formTexts, styled } from "./view.js";

// Texts beyond this are not even handed over; the reader's own limit is the same.
const MAX_BYTES = 10 << 20;

function make(tag, id, className, label) {
  const made = document.createElement(tag);
  made.id = id;
  made.className = className;
  if (label) made.setAttribute("aria-label", label);
  return made;
}
const form = make("form", "sim-form", "hr-form", "Experiment");
const view = make("main", "sim", "hr-answer");
const rail = make("aside", "sim-rail", "hr-rail", "Comparison");
const bar = make("div", "sim-bar", "hr-resultbar", "Result of the simulation");
bar.role = "region";
const sign = make("div", "sim-sign", "hr-vh");
form.noValidate = true;
view.tabIndex = -1;
sign.ariaHidden = "true";
sign.innerHTML = '<svg width="0" height="0"><symbol id="i-play" viewBox="0 0 16 16"><path d="M4.5 2.5v11l8.5-5.5Z"/></symbol><symbol id="i-stop" viewBox="0 0 16 16"><path d="M3.5 3.5h9v9h-9Z"/></symbol></svg>';
view.innerHTML = '<h1 class="hr-vh">Simulation of a failure</h1><p class="hr-sub hr-sim-wait" role="status">Loading the simulator.</p>';

styled("simulate.css");

const picker = document.createElement("input");
picker.type = "file";
picker.accept = ".yaml,.yml,.json,.txt,.conf";

const isShown = () => document.documentElement.dataset.view === "simulate";
const isStill = matchMedia("(prefers-reduced-motion: reduce)");

let worker;
let busy = true; // until the worker says that it listens
let more = false; // whether the worker has something to play
let waiting = []; // parts of the next request
let inputs; // the scenario's texts as they were last sent
let link; // the query as the worker last gave it
let isFirst = true; // the address is not written for what it already says

const ownTexts = () =>
  [...form.querySelectorAll(":is(input, select)[name]")].filter(({ type, checked }) => type !== "radio" || checked).map(({ name, value }) => [name, value]);

function measured() {
  const width = element("sim-plot-served")?.clientWidth || Math.max(240, view.clientWidth - 56);
  const half = element("sim-plot-most")?.clientWidth || width;
  return [width, half, 0.75 * parseFloat(getComputedStyle(document.documentElement).fontSize)];
}

function start() {
  busy = true;
  more = false;
  waiting = [];
  inputs = undefined;
  worker = new Worker(new URL("simulate-worker.js", import.meta.url));
  worker.addEventListener("error", died);
  worker.addEventListener("message", ({ data }) => {
    busy = false;
    if (data) show(...data);
    else {
      performance.mark("simulator-ready");
      ask("", { link: location.search, pasted: policy });
    }
    next();
  });
}

function died() {
  worker.terminate();
  busy = true;
  more = false;
  form.removeAttribute("aria-busy");
  view.innerHTML = '<h1 class="hr-vh">Simulation of a failure</h1><div class="hr-hero"><p class="hr-status hr-danger" role="alert">The simulator has stopped on an error of its own</p><p class="hr-sub">The inputs are in the address. Nothing was sent anywhere.</p><div class="hr-actions"><button class="hr-btn hr-btn--main" type="button" id="sim-revive" data-do="sim-revive">Run again</button></div></div>';
  rail.innerHTML = "";
}

// What is asked for while the worker works is put into one request, in the order of the presses.
function ask(action, parts) {
  const last = waiting.at(-1);
  if (last && (!last.action || !action)) Object.assign(last, parts, { action: last.action || action });
  else waiting.push({ action, ...parts });
  next();
}

function next() {
  if (busy || !worker) return;
  const request = waiting.shift() ?? (more ? { action: "work" } : undefined);
  if (!request) return;
  busy = true;
  const now = formTexts();
  const isNew = JSON.stringify(now) !== inputs;
  if (isNew) inputs = JSON.stringify(now);
  if (isNew && pastedText) readPasted();
  const { action, texts, pasted, at, frame } = request;
  const isStart = request.link !== undefined;
  worker.postMessage([action, texts ?? null, isNew ? now : null, request.link ?? null, pasted ?? null, frame ?? (isStart ? measured() : null), at ?? null, isStill.matches]);
}

function show(changes, values, invalid, said, query, copied, share, spoken, isBusy) {
  more = isBusy;
  const focused = document.activeElement?.id;
  for (const [id, html] of changes) {
    const place = element(id);
    if (!place) continue;
    const open = [...place.querySelectorAll("details")].map((details) => [details.id, details.open]);
    const text = place.querySelector("#sim-pasted")?.value;
    place.innerHTML = html;
    for (const [id, isOpen] of open) if (element(id)) element(id).open = isOpen;
    if (text !== undefined && element("sim-pasted")) element("sim-pasted").value = text;
  }
  for (const [id, text] of values) {
    const input = element(id);
    if (!input) continue;
    if (input.type === "radio") input.checked = text === "true";
    else if (input.value !== text) input.value = text;
  }
  const area = element("sim-pasted");
  if (area && !area.value && pastedText && document.activeElement !== area) area.value = pastedText;
  const wrong = new Set(invalid);
  for (const input of form.querySelectorAll(":is(input, select, textarea)[id]")) {
    if (wrong.has(input.id)) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  }
  if (focused && document.activeElement?.id !== focused && element(focused)) element(focused).focus();
  const slider = element("sim-at");
  if (slider) {
    if (document.activeElement !== slider && !dragged) slider.value = share * slider.max;
    slider.setAttribute("aria-valuetext", spoken);
    move();
  }
  if (copied) copy(copied);
  if (said) {
    performance.mark("simulator-verdict");
    if (isShown()) element("announcer").textContent = said;
  }
  if (changes.some(([id]) => id === "sim")) observe();
  if (!firstPicture && element("sim-plot-served")?.firstChild) {
    firstPicture = true;
    performance.mark("simulator-picture");
  }
  if (!isBusy) performance.mark("simulator-done");
  write(query);
}
let firstPicture = false;

// The address says what is played: one entry of the history for each settled change.
function write(query) {
  if (!query || query === link) return;
  link = query;
  if (!isShown()) return;
  const address = `?${query}${location.hash}`;
  if (address === location.search + location.hash) return;
  if (isFirst) history.replaceState(history.state, "", address);
  else history.pushState(null, "", address);
  isFirst = false;
}

// The pasted text is read by the audit's module, which has the reader. Only the policy goes on to the simulator.
let reader;
let isReading = false;
let pastedText = "";
let policy = ""; // the reader's answer
let again = false;
function readPasted() {
  if (!pastedText.trim()) {
    policy = "";
    ask("", { pasted: policy });
    return;
  }
  if (isReading) {
    again = true;
    return;
  }
  isReading = true;
  const send = () => reader.postMessage(["policy", [["pasted", pastedText]], formTexts()]);
  if (reader) send();
  else {
    reader = new Worker(new URL("audit-worker.js", import.meta.url));
    reader.addEventListener("error", () => {
      reader = undefined;
      answered('{"problems":["The reader could not be loaded. Reload the page to try again."]}');
    });
    reader.addEventListener("message", ({ data }) => (data === null ? send() : answered(data)));
  }
}
function answered(json) {
  isReading = false;
  policy = json;
  ask("", { pasted: policy });
  if (again) {
    again = false;
    readPasted();
  }
}
function paste(text) {
  pastedText = text;
  if (element("sim-pasted")) element("sim-pasted").value = text;
  readPasted();
}

async function copy(text) {
  const label = element("sim-copied");
  try {
    await navigator.clipboard.writeText(text);
    if (label) label.textContent = "Copied";
  } catch {
    if (label) label.textContent = "Not allowed here";
  }
  setTimeout(() => (element("sim-copied").textContent = "Copy as Markdown"), 2000);
}

// The moment that is looked at: its line moves at once, its values follow.
let dragged = false;
function move() {
  const slider = element("sim-at");
  if (slider) element("sim-charts").style.setProperty("--at", slider.max > 0 ? slider.value / slider.max : 0);
}
function look() {
  element("sim-charts").dataset.looked = "";
  move();
  ask("", { at: element("sim-at").valueAsNumber });
}
const plotOf = (target) => target.closest?.(".hr-sim-plot, .hr-sim-heat");
function point({ clientX, target }) {
  const slider = element("sim-at");
  const plot = plotOf(target) ?? dragged;
  if (!slider || !plot) return;
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const { left, width } = plot.getBoundingClientRect();
  const share = (clientX - left - 3.75 * rem) / (width - 4.75 * rem);
  slider.value = Math.min(1, Math.max(0, share)) * slider.max;
  look();
}
view.addEventListener("pointerdown", (event) => {
  const plot = plotOf(event.target);
  if (!plot || event.button) return;
  dragged = plot;
  point(event);
});
addEventListener("pointermove", (event) => dragged && point(event));
for (const name of ["pointerup", "pointercancel"]) addEventListener(name, () => (dragged = false));

let width;
const observer = new ResizeObserver(() => {
  const frame = measured();
  if (!isShown() || String(frame) === width) return;
  width = String(frame);
  ask("", { frame });
});
function observe() {
  observer.disconnect();
  for (const id of ["sim-plot-served", "sim-plot-most"]) if (element(id)) observer.observe(element(id));
}

let typed;
form.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(typed);
  ask("run", { texts: ownTexts() });
});
form.addEventListener("input", ({ target }) => {
  clearTimeout(typed);
  if (target.id === "sim-pasted") typed = setTimeout(() => paste(target.value), 400);
  else typed = setTimeout(() => ask("", { texts: ownTexts() }), target.matches('select, [type="radio"]') ? 0 : 350);
});
view.addEventListener("input", ({ target }) => target.id === "sim-at" && look());
for (const root of [view, rail]) {
  root.addEventListener(
    "toggle",
    ({ target }) => target.dataset?.table && ask(`table ${target.dataset.table} ${target.open ? "open" : "closed"}`),
    true,
  );
}
picker.addEventListener("change", async () => {
  const [file] = picker.files;
  picker.value = "";
  if (file) paste(file.size > MAX_BYTES ? `# ${file.name} has ${file.size} bytes; at most ${MAX_BYTES} are read.` : await file.text());
});

for (const root of [form, view, rail, bar]) {
  root.addEventListener("click", (event) => {
    const what = event.target.closest("[data-do]")?.dataset.do ?? "";
    if (event.ctrlKey || event.metaKey || event.shiftKey || !what.startsWith("sim")) return;
    event.preventDefault();
    const [verb, argument] = [what.split(" ")[0], what.split(" ").slice(1).join(" ")];
    if (verb === "sim") {
      ask(argument);
      if (argument.startsWith("pick ")) element("h-sim")?.focus();
    } else if (verb === "sim-go") element(`sim-${argument}`)?.focus();
    else if (verb === "sim-file") picker.click();
    else if (verb === "sim-audited") audited();
    else if (verb === "sim-see") view.focus();
    else if (verb === "sim-revive") start();
  });
}

document.querySelector(".hr-skip").addEventListener("click", (event) => {
  if (!isShown()) return;
  event.preventDefault();
  view.focus();
});

// The text that the Audit view has, if it was ever opened.
async function audited() {
  const texts = element("audit") ? (await import("./audit.js")).shown() : [];
  const text = texts.map(([, text]) => text).join("\n---\n");
  if (text) paste(text);
  else element("s-sim-read").textContent = "The Audit view has no text yet.";
}

addEventListener("popstate", () => {
  const query = location.search.slice(1);
  if (!isShown() || query === link) return;
  link = query;
  ask("", { link: location.search });
});
// Whatever changes the scenario, a keystroke or a button, is seen by its texts.
let looked;
for (const name of ["input", "change", "click", "popstate"]) {
  addEventListener(name, () => {
    clearTimeout(looked);
    looked = setTimeout(() => isShown() && inputs !== undefined && JSON.stringify(formTexts()) !== inputs && ask("", {}), 150);
  });
}

// For the bench: requests a second that the module plays.
export const speed = (seconds) =>
  new Promise((done) => {
    const bench = new Worker(new URL("simulate-worker.js", import.meta.url));
    bench.addEventListener("message", ({ data }) => {
      if (data === null) bench.postMessage([`speed ${seconds}`]);
      else {
        bench.terminate();
        done(Number(data[5]));
      }
    });
  });

// Shows the view.
export function open() {
  if (view.isConnected) {
    // The address has lost what is played while another view was shown.
    if (link && location.search.slice(1) !== link) history.replaceState(history.state, "", `?${link}${location.hash}`);
    return;
  }
  element("rail").after(form, view, rail, sign);
  element("result").after(bar);
  start();
}
