// Guidance in the Size view: terms that explain themselves, notes at the worked example, the tour. Loaded when the page is idle.
//
// Marks are set in the static parts of the page only: what the page writes again by itself (elements with an id that begins with s-)
// is left alone. Definitions come from the glossary, so there is one source. The tour is loaded on the first visit, and
// when it is asked for.

import { styled } from "./view.js";

const query = new URLSearchParams(location.search);
const answer = document.getElementById("answer");
const isFramed = query.has("embed") || self !== top;
const canFloat = "popover" in HTMLElement.prototype; // else the links of the foot lead to all of it

// Terms: where, which word, which entry of the glossary.
const TERMS = [
  ["#h-win", "Window", "window"],
  ["#h-win + p", "floor", "floor"],
  ["#h-win + p", "ceiling", "ceiling"],
  ["table[aria-label^=Limits] thead th:nth-child(4)", "In use", "erlang"],
  ["table[aria-label^=Limits] thead th:nth-child(5)", "Refused", "erlang-b"],
  ["#h-lim", "Thresholds", "overflow"],
  ["figcaption h2", "Headroom", "headroom"],
  ["#h-lad", "Timeout ladder", "timeout-ladder"],
  ["#h-lad + p", "per-try clock", "per-try-timeout"],
  ["#h-ret", "Retry policy", "retry-budget"],
  ["#h-out", "Outlier detection", "ejection"],
];
// Places in a style sheet of its own, so that no element has a style.
const places = new CSSStyleSheet();
document.adoptedStyleSheets.push(places);
const opened = new Map(); // entry: its popover
let glossary;

function mark() {
  for (const [where, word, entry] of TERMS) {
    for (const place of answer.querySelectorAll(where)) {
      const text = [...place.childNodes].find((node) => node.nodeType === Node.TEXT_NODE && node.data.includes(word));
      if (!text) continue;
      const found = text.splitText(text.data.indexOf(word));
      found.splitText(word.length);
      const term = document.createElement("button");
      term.type = "button";
      term.className = "hr-term";
      term.dataset.term = entry;
      term.setAttribute("aria-expanded", "false");
      term.append(word);
      found.replaceWith(term);
    }
  }
}

// Two kilobytes, with the marks: what is asked for later needs no network.
const definitions = () =>
  (glossary ??= fetch(new URL("learn/glossary.html", import.meta.url))
    .then((response) => (response.ok ? response.text() : Promise.reject(new Error(response.statusText))))
    .then((text) => new DOMParser().parseFromString(text, "text/html")));

async function entry(name) {
  await definitions();
  const heading = (await glossary).getElementById(name);
  return [heading.textContent, heading.nextElementSibling];
}

// A definition in place: a popover of the browser, which closes with Escape or a click beside it, and follows its term in the order of Tab.
async function explain(term) {
  const name = term.dataset.term;
  let box = opened.get(name);
  if (!box) {
    box = document.createElement("div");
    box.className = "hr-term-box";
    box.popover = "auto";
    box.role = "dialog";
    box.ariaLabel = term.textContent;
    opened.set(name, box);
    document.body.append(box);
    const text = document.createElement("div");
    text.setAttribute("aria-live", "polite");
    box.append(text);
    const more = document.createElement("a");
    more.href = `learn/glossary.html#${name}`;
    more.textContent = "Glossary";
    box.append(more);
    try {
      const [title, words] = await entry(name);
      const head = document.createElement("b");
      head.textContent = title;
      text.append(head, document.importNode(words, true));
    } catch {
      glossary = undefined;
      opened.delete(name);
      text.textContent = "The definition could not be loaded.";
    }
    box.addEventListener("toggle", ({ newState }) => {
      for (const button of document.querySelectorAll(`[data-term="${name}"]`)) button.setAttribute("aria-expanded", String(newState === "open" && button === box.term));
    });
  }
  box.term = term;
  term.popoverTargetElement = box;
  box.showPopover({ source: term });
  const at = term.getBoundingClientRect();
  const left = Math.max(8, Math.min(at.left, innerWidth - box.offsetWidth - 8));
  const below = at.bottom + 6;
  const top = below + box.offsetHeight > innerHeight - 8 ? Math.max(8, at.top - box.offsetHeight - 6) : below;
  places.replaceSync(`.hr-term-box { left: ${left}px; top: ${top}px; }`);
}
// A term that has its popover already is the browser's: it opens and closes it. Here only the place is set again.
addEventListener("click", (event) => {
  const term = event.target.closest?.("[data-term]");
  if (!term) return;
  event.preventDefault();
  if (term.getAttribute("aria-expanded") === "true") opened.get(term.dataset.term)?.hidePopover();
  else explain(term);
});
// It is fixed to the window, its term is not.
addEventListener("scroll", () => opened.forEach((box) => box.matches(":popover-open") && box.hidePopover()), { passive: true });

// Notes at the worked example, in the line of a heading, where they move nothing. They go when something is typed.
const NOTES = [
  ["#h-win", "Any number in here serves the peak and protects the hosts."],
  ["#h-lim", "Why opens formula, values and source of a number."],
  ["#h-lad", "Each clock has to end before the one below it."],
];
const store = {
  get(key) {
    try {
      return localStorage.getItem(key) ?? "";
    } catch {
      return undefined; // blocked
    }
  },
  set(key, text) {
    try {
      localStorage.setItem(key, text);
    } catch {
      // Blocked: it holds for this visit.
    }
  },
};

function notes() {
  const closed = (store.get("headroom-notes") ?? "").split(" ");
  const shown = [];
  for (const [where, words] of NOTES) {
    const heading = answer.querySelector(where);
    if (!heading || closed.includes(where)) continue;
    const note = document.createElement("p");
    note.className = "hr-note";
    const text = document.createElement("span");
    text.textContent = words;
    const close = document.createElement("button");
    close.type = "button";
    close.textContent = "×";
    close.setAttribute("aria-label", `Close the note: ${words}`);
    // On a narrow screen the note is asked for.
    const more = document.createElement("button");
    more.type = "button";
    more.className = "hr-link hr-note-more";
    more.textContent = "Note";
    more.setAttribute("aria-label", `Note on: ${heading.textContent}`);
    more.setAttribute("aria-expanded", "false");
    more.addEventListener("click", () => more.setAttribute("aria-expanded", String(more.getAttribute("aria-expanded") !== "true")));
    close.addEventListener("click", () => {
      note.remove();
      more.remove();
      closed.push(where);
      store.set("headroom-notes", closed.join(" ").trim());
    });
    note.append(text, close);
    heading.parentElement.classList.add("hr-noted");
    heading.parentElement.append(more, note);
    shown.push(more, note);
  }
  document.getElementById("form").addEventListener("input", () => shown.forEach((note) => note.remove()), { once: true });
}

// The tour: by itself on the first visit of the page as such, never twice; otherwise when the link in the foot is pressed.
async function tour(isAsked) {
  const { start } = await import("./tour.js");
  start(isAsked);
}
function link() {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "hr-link";
  button.id = "tour";
  button.textContent = "Tour";
  button.addEventListener("click", () => {
    if (document.documentElement.dataset.view && document.documentElement.dataset.view !== "size") document.querySelector('[data-view-of="size"]').click();
    tour(true);
  });
  document.querySelector(".hr-foot button, .hr-foot span")?.before(button);
}

if (!isFramed && canFloat) {
  // Styled before they stand there, so that nothing jumps.
  await styled("guide.css");
  mark();
  // The page writes a part anew now and then: it is marked again once typing rests. One timer for many keystrokes.
  let changed, waits;
  const rested = () => {
    const left = changed + 300 - performance.now();
    waits = left > 0 ? setTimeout(rested, left) : undefined;
    if (!waits) mark();
  };
  new MutationObserver(() => {
    changed = performance.now();
    waits ??= setTimeout(rested, 300);
  }).observe(answer, { childList: true, subtree: true });
  await definitions().catch(() => (glossary = undefined));
  link();
  const isPlain = !location.hash && !query.has("view");
  const seen = store.get("headroom-tour");
  if (isPlain) notes();
  if (isPlain && seen === "") {
    store.set("headroom-tour", "seen");
    if (store.get("headroom-tour") === "seen") await tour(false);
  }
}
performance.mark("guide-ready");
