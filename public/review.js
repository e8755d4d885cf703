// The Review view: the form's texts go to a worker with a Wasm module of its own, HTML and Markdown come back. Loaded when the view is
// first opened.
//
// What a document says is decided in the worker (src/reviewer); here are only the things of the browser: the form, the address, the
// clipboard, files, print. What faults cost comes from the simulator's module, what a pasted text says from the audit's, each in a worker
// of its own and only while it is needed. Nothing is sent anywhere.

import { element, formTexts, save, styled } from "./view.js";

// Texts beyond this are not even handed over; the reader's own limit is the same.
const MAX_BYTES = 10 << 20;

const view = document.createElement("main");
view.id = "review";
view.className = "hr-review";
view.tabIndex = -1;
view.innerHTML = '<h1 class="hr-vh">Design review</h1><p class="hr-sub hr-review__wait" role="status">Loading the review.</p>';

styled("review.css");

const picker = document.createElement("input");
picker.type = "file";
picker.accept = ".yaml,.yml,.json,.txt,.conf";

const isShown = () => document.documentElement.dataset.view === "review";
const asked = () => new URLSearchParams(location.search).get("with") ?? "";

let busy = true; // until the worker says that it listens
let waiting = []; // parts of the next request
let sent; // the form's texts as they were last sent
let seen; // what it is compared with, as it was last sent
const worker = new Worker(new URL("review-worker.js", import.meta.url));
worker.addEventListener("error", () => {
  view.innerHTML = '<h1 class="hr-vh">Design review</h1><p class="hr-sub hr-review__wait" role="alert">The review could not be loaded, or has stopped on an error of its own. Reload the page to try again.</p>';
  stop();
});
// While something is pressed, nothing is exchanged under it: a note that is left by pressing a button would take the press away.
let isDown = false;
let held;
function heard(data) {
  if (isDown) return (held = () => heard(data));
  busy = false;
  if (data) show(...data);
  else ask("", { page: location.origin + location.pathname, frame: measured() });
  next();
}
function release() {
  isDown = false;
  const answer = held;
  held = undefined;
  answer?.();
}
view.addEventListener("pointerdown", () => (isDown = true));
for (const name of ["pointerup", "pointercancel"]) addEventListener(name, () => setTimeout(release));
addEventListener("pointermove", ({ buttons }) => isDown && !buttons && release());
worker.addEventListener("message", ({ data }) => heard(data));

// What is asked for while the worker works is put into one request; presses keep their order.
function ask(action, parts = {}) {
  const last = waiting.at(-1);
  if (last && !parts.faults && !last.faults && (!last.action || !action)) Object.assign(last, parts, { action: last.action || action });
  else waiting.push({ action, ...parts });
  next();
}

function next() {
  if (busy || !waiting.length) return;
  busy = true;
  view.setAttribute("aria-busy", "true");
  const { action, pasted, faults, page, frame, named } = waiting.shift();
  const now = formTexts();
  const isNew = JSON.stringify(now) !== sent;
  sent = JSON.stringify(now);
  const isOther = asked() !== seen;
  seen = asked();
  if (isNew && pastedText) readPasted();
  worker.postMessage([action, isNew ? now : null, isOther ? seen : null, pasted ?? null, faults ?? null, page ?? null, frame ?? null, named ?? null]);
}

function show(changes, copied, file, said, play, reads) {
  view.removeAttribute("aria-busy");
  const focused = document.activeElement?.id;
  const open = new Map([...view.querySelectorAll("details")].map(({ id, open }) => [id, open]));
  const ticked = new Set([...view.querySelectorAll('[type="checkbox"]:checked')].map(({ id }) => id));
  for (const [id, html] of changes) {
    const place = element(id);
    if (place) place.innerHTML = html;
  }
  if (changes.length) {
    for (const details of view.querySelectorAll("details")) details.open = open.get(details.id) ?? details.open;
    for (const box of view.querySelectorAll('[type="checkbox"]')) box.checked ||= ticked.has(box.id);
    if (focused && document.activeElement?.id !== focused && view.contains(element(focused))) element(focused).focus();
    if (element("review-link") && !element("review-link").value && !["choose", "pasted"].includes(asked())) element("review-link").value = asked();
    if (element("review-pasted") && !element("review-pasted").value) element("review-pasted").value = pastedText;
    observe();
  }
  if (said) element("announcer").textContent = said;
  if (copied) copy(copied);
  if (file) save(...file, "text/markdown");
  if (play) begin(play);
  if (reads && pastedText && !policy) readPasted();
}

async function copy(text) {
  const label = () => element("review-copied");
  try {
    await navigator.clipboard.writeText(text);
    label().textContent = "Copied";
  } catch {
    label().textContent = "Not allowed here";
  }
  setTimeout(() => label() && (label().textContent = "Copy Markdown"), 2000);
}

// What faults cost is played by the simulator's module, slice by slice, while the view is shown and nobody stops it.
let player;
let plays = []; // sides that are still to be played
let isStopped = false;
let isPlaying = false;
let told = 0; // runs that the document knows of
function begin(list) {
  stop();
  plays = list;
  isStopped = false;
  told = 0;
  play();
}
function stop() {
  player?.terminate();
  player = undefined;
  isPlaying = false;
}
function play() {
  if (isPlaying || isStopped || !plays.length || !isShown()) return progress();
  isPlaying = true;
  if (player) return player.postMessage(["faults on"]);
  player = new Worker(new URL("simulate-worker.js", import.meta.url));
  player.addEventListener("error", () => {
    stop();
    plays = [];
    progress("The simulator could not be loaded. Reload the page to try again.");
  });
  player.addEventListener("message", ({ data }) => {
    if (data === null) {
      const [, inputs] = plays[0];
      player.postMessage(["faults", null, inputs, null, asked() === "pasted" ? policy : null]);
    } else played(data);
  });
}
function played(text) {
  isPlaying = false;
  const [, done, all] = /^progress\t(\d+)\t(\d+)$/m.exec(text) ?? [0, 1, 1];
  const isWhole = done === all;
  if (isWhole || done - told >= 2) {
    told = Number(done);
    ask("", { faults: [plays[0][0], text] });
  }
  if (isWhole) {
    plays = plays.slice(1);
    told = 0;
    stop();
  }
  // How many runs are played is said once, where the table is.
  progress("Simulating the ten faults.");
  play();
}
function progress(text) {
  const place = element("review-progress");
  if (!place) return;
  const [words, button] = place.children;
  place.hidden = !plays.length;
  if (text) words.textContent = text;
  button.textContent = isStopped ? "Go on" : "Stop";
  if (text && !plays.length && text.startsWith("The ")) place.hidden = false;
}

// The pasted text is read by the audit's module, which has the reader. Only the policy goes on.
let reader;
let isReading = false;
let again = false;
let pastedText = "";
let policy = "";
function readPasted() {
  if (isReading) return (again = true);
  isReading = true;
  const send = () => reader.postMessage(["policy", [["pasted", pastedText]], formTexts()]);
  if (reader) return send();
  reader = new Worker(new URL("audit-worker.js", import.meta.url));
  reader.addEventListener("error", () => {
    reader = undefined;
    answered('{"problems":["The reader could not be loaded. Reload the page to try again."]}');
  });
  reader.addEventListener("message", ({ data }) => (data === null ? send() : answered(data)));
}
function answered(json) {
  isReading = false;
  if (again) {
    again = false;
    return readPasted();
  }
  policy = json;
  stop();
  ask("", { pasted: policy });
}
function paste(text, name = "") {
  if (isLink(text)) return pasteLink(text.trim());
  pastedText = text;
  policy = "";
  ask("", { named: name });
  if (element("review-pasted") && element("review-pasted").value !== text) element("review-pasted").value = text;
  compareWith(text.trim() ? "pasted" : "choose");
  if (text.trim()) readPasted();
}

// A link is one wherever it is pasted.
const isLink = (text) => /^(\S*#)?v=\S+$/.test(text.trim());
function pasteLink(link) {
  pastedText = policy = element("review-pasted").value = "";
  element("review-link").value = link;
  compareWith(linkOf(link));
}

// The address says what it is compared with. A pasted text is not in it.
function compareWith(what) {
  if (what !== asked()) {
    const address = new URL(location);
    address.search = what ? `?view=review&with=${encodeURIComponent(what)}` : "?view=review";
    history.pushState(null, "", address);
  }
  ask("");
}
const linkOf = (text) => {
  const at = text.indexOf("#");
  return at < 0 ? text.trim() : text.slice(at + 1).trim();
};

function measured() {
  const root = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const plot = view.querySelector(".hr-doc__plot:not(.hr-doc__plot--paper)");
  return [plot?.clientWidth || Math.max(240, view.clientWidth - 4 * root), 0.75 * root];
}
let width;
const observer = new ResizeObserver(() => {
  const frame = measured();
  if (!isShown() || String(frame) === width || matchMedia("print").matches) return;
  width = String(frame);
  ask("", { frame });
});
function observe() {
  observer.disconnect();
  for (const plot of view.querySelectorAll(".hr-doc__plot:not(.hr-doc__plot--paper)")) observer.observe(plot);
}

view.addEventListener("click", (event) => {
  const button = event.target.closest("[data-do]");
  const what = button?.dataset.do ?? "";
  if (!what.startsWith("review") || button.getAttribute("aria-disabled") === "true") return;
  const [verb, ...rest] = what.split(" ");
  const argument = rest.join(" ");
  if (verb === "review") ask(argument);
  else if (verb === "review-print") print();
  else if (verb === "review-with") compareWith(argument && pastedText ? "pasted" : argument);
  else if (verb === "review-file") picker.click();
  else if (verb === "review-audited") audited();
  else if (verb === "review-play") {
    isStopped = !isStopped;
    play();
    progress();
  }
});
view.addEventListener("change", ({ target }) => {
  if (target.dataset.note) ask(`note ${target.dataset.note} ${target.value}`);
});
view.addEventListener("submit", (event) => {
  event.preventDefault();
  compareWith(linkOf(element("review-link").value) || "choose");
});
let typed;
view.addEventListener("input", ({ target }) => {
  if (target.id !== "review-pasted") return;
  clearTimeout(typed);
  typed = setTimeout(() => paste(target.value), 400);
});
picker.addEventListener("change", async () => {
  const [file] = picker.files;
  picker.value = "";
  if (file) paste(file.size > MAX_BYTES ? `# ${file.name} has ${file.size} bytes; at most ${MAX_BYTES} are read.` : await file.text(), file.name);
});
// The text that the Audit view has, if it was ever opened.
async function audited() {
  const texts = element("audit") ? (await import("./audit.js")).shown() : [];
  const text = texts.map(([, text]) => text).join("\n---\n");
  if (text) paste(text, texts.length === 1 ? texts[0][0] : "");
  else element("announcer").textContent = element("review-audited").textContent = "The Audit view has no text yet";
}

document.querySelector(".hr-skip").addEventListener("click", (event) => {
  if (!isShown()) return;
  event.preventDefault();
  view.focus();
});

// Whatever changes the form or the address, a keystroke, a button or the way back, is seen by what it leads to.
let looked;
for (const name of ["input", "change", "click", "popstate"]) {
  addEventListener(name, () => {
    clearTimeout(looked);
    looked = setTimeout(() => {
      if (!isShown()) return;
      if (JSON.stringify(formTexts()) !== sent || asked() !== seen) ask("");
      else play();
    }, 150);
  });
}

// Shows the view.
export function open() {
  if (view.isConnected) return;
  element("form").after(view);
}
