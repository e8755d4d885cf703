// What stands around the program: the title of each view, keys, the way past the head, notes, and the copy for use without a network.
// Loaded when the page has come to rest; no answer needs it. What is typed is sent nowhere.

import { styled } from "./view.js";

const root = document.documentElement;
const isSeen = (node) => Boolean(node?.getClientRects().length);
const seen = (selector) => [...document.querySelectorAll(selector)].find(isSeen);

styled("frame.css");

// Notes. The region is there before its first text, so that the text is read out; it never takes the focus.
const note = document.createElement("div");
note.className = "hr-notice";
note.role = "status";
document.body.append(note);
let ends;

// Shows a text with buttons, each a word and what it does; without buttons it goes by itself.
function say(text, ...buttons) {
  clearTimeout(ends);
  const words = document.createElement("p");
  words.textContent = text;
  note.replaceChildren(words);
  for (const [word, run] of buttons) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "hr-btn";
    button.textContent = word;
    button.addEventListener("click", () => {
      note.replaceChildren();
      run?.();
    });
    note.append(button);
  }
  if (!buttons.length) ends = setTimeout(() => note.replaceChildren(), 3000);
}

// Titles. The program writes the name of the service; the view that is shown stands before it.
let before = "";
function entitle() {
  const name = root.dataset.view && root.dataset.view !== "size" ? document.querySelector("[data-view-of][aria-current]")?.textContent : "";
  const plain = before && document.title.startsWith(before) ? document.title.slice(before.length) : document.title;
  before = name ? `${name} · ` : "";
  if (document.title !== before + plain) document.title = before + plain;
}
new MutationObserver(entitle).observe(root, { attributes: true, attributeFilter: ["data-view"] });
new MutationObserver(entitle).observe(document.querySelector("title"), { childList: true });
entitle();

// The first link leads to what is shown, whatever the view.
addEventListener(
  "click",
  (event) => {
    if (!event.target.closest?.(".hr-skip")) return;
    event.preventDefault();
    event.stopPropagation();
    const main = seen("main");
    main?.scrollIntoView();
    main?.focus();
  },
  true,
);

// Keys. They can be turned off, and rest while someone types.
const OFF = "headroom-shortcuts";
let isOn = true;
try {
  isOn = localStorage.getItem(OFF) !== "off";
} catch {
  // Storage is blocked: the choice lasts as long as the page.
}
function turn(on) {
  isOn = on;
  try {
    if (on) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, "off");
  } catch {
    // As above.
  }
}

const views = { s: "size", a: "audit", m: "simulate", r: "review", e: "embed" };
const tabOf = (letter) => document.querySelector(`[data-view-of="${views[letter]}"]`);
const copiers = "#copy-yaml, #copy, [data-do=\"audit-copy\"]";

// Presses a button and says what it says then.
function press(button, what) {
  if (!button || button.disabled || button.ariaDisabled === "true") return say(`${what} is not possible now.`);
  button.click();
  setTimeout(() => say(button.ariaLabel ?? `${what}: ${(button.querySelector(".hr-swap > :not([aria-hidden])") ?? button).textContent}`), 150);
}

const keys = {
  "?": () => list(),
  "/": () => (seen("main textarea") ?? seen("form :is(input, select, textarea)"))?.focus(),
  y: () => press(seen(copiers), "Copy"),
  l: () => press(document.getElementById("copy-link"), "Link"),
  t: () => press(document.getElementById("theme"), "Theme"),
};

const isTyping = (target) =>
  target.isContentEditable || target.matches?.('select, textarea, input:not([type="checkbox"], [type="radio"], [type="range"], [type="button"])');
let went = -Infinity; // when g was pressed
addEventListener("keydown", (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (!isOn || ctrlKey || metaKey || altKey || event.isComposing || event.repeat || isTyping(target) || document.querySelector("dialog[open]")) return;
  const isSecond = event.timeStamp - went < 1500;
  went = key === "g" ? event.timeStamp : -Infinity;
  const run = isSecond && Object.hasOwn(views, key) ? () => tabOf(key)?.click() : Object.hasOwn(keys, key) && keys[key];
  if (!run) return;
  event.preventDefault();
  run();
});

async function list() {
  const there = Object.keys(views).filter(tabOf);
  const { open } = await import("./shortcuts.js");
  open(there.map((letter) => [letter, tabOf(letter).textContent]), isOn, turn);
}
document.getElementById("shortcuts")?.addEventListener("click", list);

// Where a comma is the decimal sign, keypads may lack the point, and "1.200" may be meant as a thousand. It is read as it is
// everywhere in Headroom, and that is said, so nobody gets another number than they meant without a word.
const decimal = new Intl.NumberFormat(navigator.language).formatToParts(1.5).find(({ type }) => type === "decimal")?.value;
if (decimal === ",") {
  addEventListener("focusin", ({ target }) => target.inputMode === "decimal" && (target.inputMode = "text"));
  addEventListener("change", ({ target }) => {
    const [, whole, sign, rest] = (target.matches?.("input[placeholder], form input") && /^\s*(\d{1,3})([.,])(\d{3})\s*\D*$/.exec(target.value)) || [];
    if (!whole) return;
    const isPoint = sign === ".";
    say(`“${target.value.trim()}” is read as ${isPoint ? `${whole}.${rest}, with a fraction: for thousands write ${whole}${rest}.` : `${whole}${rest}: for a fraction write ${whole}.${rest}.`}`, ["OK"]);
  });
}

// Use without a network: a worker keeps the files of this build, and only these.
const { build } = document.querySelector("script[data-wasm]").dataset;
const workers = navigator.serviceWorker;
if (build && workers && !navigator.connection?.saveData) keep().catch(() => {}); // Where the browser does not allow it, nothing is kept.

async function keep() {
  const registration = await workers.register(new URL("sw.js", import.meta.url), { updateViaCache: "none" });
  let isAsked = false;
  let hadOne = Boolean(workers.controller);
  const start = () => {
    isAsked = true;
    registration.waiting?.postMessage("start");
  };
  // Texts that are not in the address would be gone: that is said first.
  const reload = () => {
    const isLost = document.querySelector('.hr-editor, [aria-invalid="true"]') || [...document.querySelectorAll("textarea")].some(({ value }) => value.trim());
    if (isLost) say("A reload loses pasted texts and inputs marked wrong: they are not in the address.", ["Reload", start], ["Later"]);
    else start();
  };
  const offer = () => registration.waiting && workers.controller && say("A new version is ready.", ["Reload", reload], ["Later"]);
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", offer));
  offer();
  workers.addEventListener("controllerchange", () => {
    if (isAsked) location.reload();
    else if (hadOne) {
      say("Headroom was updated in another tab. This one goes on with the old version until it is loaded again.", ["Reload", () => location.reload()], ["Later"]);
      // What is loaded from now on belongs to the new version: another view comes with a page of its own.
      addEventListener("click", leave, true);
    }
    hadOne = true;
  });
  (await workers.ready).active.postMessage({ build });
  // A tab may stay open for days.
  let looked = Date.now();
  addEventListener("visibilitychange", () => {
    if (document.hidden || Date.now() - looked < 3_600_000) return;
    looked = Date.now();
    registration.update().catch(() => {});
  });
}

function leave(event) {
  const tab = event.target.closest?.("[data-view-of]");
  if (!tab || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  event.stopPropagation();
  location.assign(new URL(tab.getAttribute("href") + location.hash, document.baseURI));
}
