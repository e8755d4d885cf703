// The calculator in a frame of another page (public/embed.html). What is decided and shown is Rust's (src/embed); here are only the
// things of a browser: the inputs' events, the clipboard, the height of the frame, messages of the page around it.
//
// Nothing is stored, no history is written, no focus is taken, and nothing is told to the page around but the height, and to one that
// asks scenario and analysis.
const root = document.documentElement;
const element = (id) => document.getElementById(id);
const main = element("main");
const host = parent === window ? undefined : parent;
const LONGEST = 20_000; // characters of a message's scenario; a real one has some hundred

// Height: what the content takes, told whenever it changes. A host that does not follow gets a bar to scroll with.
let told = 0;
let late;
let ready = false;
function tell() {
  if (!ready || !host) return;
  const height = Math.ceil(main.getBoundingClientRect().height);
  clearTimeout(late);
  late = setTimeout(() => root.toggleAttribute("data-cut", innerHeight < height - 1), 400);
  if (height === told) return;
  told = height;
  host.postMessage({ type: "headroom:height", height }, "*");
}
new ResizeObserver(tell).observe(main);
addEventListener("resize", tell);

function show([changes, values, invalid, said]) {
  const focused = document.activeElement;
  const [id, from, to] = [focused?.id, focused?.selectionStart, focused?.selectionEnd];
  const open = [...document.querySelectorAll("details[open]")].map((details) => details.id);
  for (const [id, html] of changes) if (element(id)) element(id).innerHTML = html;
  for (const id of open) if (element(id)) element(id).open = true;
  for (const [id, text] of values) {
    const input = element(id);
    if (!input) continue;
    if (input.type === "checkbox") input.checked = text === "true";
    else if (input.value !== text) input.value = text;
  }
  for (const input of document.querySelectorAll("#form [name]")) {
    const isWrong = invalid.includes(input.id);
    if (isWrong) {
      input.setAttribute("aria-invalid", "true");
      input.setAttribute("aria-describedby", `${input.id}-error`);
    } else {
      input.removeAttribute("aria-invalid");
      input.removeAttribute("aria-describedby");
    }
  }
  document.querySelector(".hr-embed__answer")?.classList.toggle("hr-stale", invalid.length > 0);
  // Only what had the focus gets it again.
  if (id && focused !== document.body && !focused.isConnected && element(id)) {
    element(id).focus({ preventScroll: true });
    if (typeof from === "number") element(id).setSelectionRange(from, to);
  }
  title();
  speak(said);
  tell();
}
const title = () => (document.title = `${document.querySelector("h1").textContent} · Headroom`);

// Once typing has come to rest, so that a number is not read digit by digit.
let spoken;
let first = true;
function speak(said) {
  clearTimeout(spoken);
  if (!first) spoken = setTimeout(() => (element("announcer").textContent = said), 400);
  first = false;
}

function look() {
  const [theme, colors, asked, notices] = headroom("look", "", "");
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
  ["accent", "on-accent", "accent-soft"].forEach((name, at) => {
    if (colors.length) root.style.setProperty(`--hr-${name}`, `light-dark(${colors[at]}, ${colors[at + 3]})`);
    else root.style.removeProperty(`--hr-${name}`);
  });
  for (const notice of notices) console.warn(`Headroom: ${notice}`);
  const used = { light: [colors[0]], dark: [colors[3]], auto: [colors[0], colors[3]] }[theme];
  if (asked && used.some((color) => color !== asked)) {
    console.info(`Headroom: accent ${asked} has too little contrast; used is ${used.join(" on light and ")}${used[1] ? " on dark ground" : ""}.`);
  }
}

// Who has asked to be told, and where its page comes from. A frame without an origin can only be written to by name of the window.
let listener;
let last;
function report() {
  if (listener === undefined || !host) return;
  const json = headroom("json", "", "");
  if (!json || json === last) return;
  last = json;
  host.postMessage({ type: "headroom:change", ...JSON.parse(json) }, listener);
}

function answer(reply, origin) {
  const refused = reply[4];
  if (!refused) {
    show(reply);
    report();
  } else host?.postMessage({ type: "headroom:problems", problems: JSON.parse(refused) }, origin);
}

function hear({ source, origin, data }) {
  if (!host || source !== host || typeof data !== "object" || data === null) return;
  const back = origin === "null" ? "*" : origin;
  const own = (key) => (Object.hasOwn(data, key) ? data[key] : undefined);
  const type = own("type");
  if (type === "headroom:listen") {
    listener = back;
    last = undefined;
    told = 0;
    tell();
    report();
  } else if (type === "headroom:options") {
    const query = own("query");
    if (typeof query !== "string" || query.length > LONGEST) return;
    show(headroom("choose", query, ""));
    look();
  } else if (type === "headroom:set") {
    const [scenario, link] = [own("scenario"), own("link")];
    if (typeof link === "string" && link.length <= LONGEST) return answer(headroom("set-link", link, ""), back);
    let json;
    try {
      json = typeof scenario === "object" && scenario !== null ? JSON.stringify(scenario) : undefined;
    } catch {
      // Circles and giant numbers have no JSON.
    }
    if (typeof json === "string" && json.length <= LONGEST) return answer(headroom("set-json", json, ""), back);
    const message = `A message headroom:set has a scenario or a link, of at most ${LONGEST} characters.`;
    host.postMessage({ type: "headroom:problems", problems: [{ field: "scenario", value: "", message }] }, back);
  }
}

addEventListener("input", ({ target }) => {
  if (!target.name || !target.closest("#form")) return;
  show(headroom("typed", target.name, target.type === "checkbox" ? String(target.checked) : target.value));
  report();
});
addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("toggle", tell, true);

async function copy(button) {
  const text = headroom("yaml", "", "");
  if (!text) return;
  let worked = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    worked = false;
    show(headroom("by-hand", "", ""));
    getSelection().selectAllChildren(element("yaml"));
  }
  const say = (at) =>
    document.querySelectorAll("#copy-yaml .hr-swap > span").forEach((word, of) => {
      word.classList.toggle("hr-swap__off", of !== at);
      if (of === at) word.removeAttribute("aria-hidden");
      else word.ariaHidden = "true";
    });
  say(worked ? 1 : 2);
  button.classList.toggle("hr-btn--failed", !worked);
  element("announcer").textContent = worked ? "Copied" : "Press Ctrl+C";
  setTimeout(() => {
    say(0);
    element("copy-yaml").classList.remove("hr-btn--failed");
  }, 2000);
}

addEventListener("click", async (event) => {
  const button = event.target.closest("[data-do]");
  const what = button?.dataset.do;
  if (what === "copy") copy(button);
  if (what === "simulate") {
    event.preventDefault();
    (await import("./embed-simulate.js")).play(element("embed-sim"), () => headroom("inputs", "", ""));
  }
});

try {
  const { wasm } = document.querySelector("script[data-wasm]").dataset;
  await wasm_bindgen({ module_or_path: new URL(wasm, document.baseURI) });
  show(headroom("start", location.search, location.hash));
  look();
  ready = true;
  tell();
  addEventListener("message", hear);
  // A host may have spoken before anyone heard it.
  host?.postMessage({ type: "headroom:ready" }, "*");
  addEventListener("hashchange", () => {
    const reply = headroom("follow", location.hash, "");
    show(reply);
    report();
    if (reply[4]) answer(reply, "*");
  });
} catch (error) {
  ready = true;
  const waiting = element("waiting");
  if (waiting) waiting.textContent = "This browser could not start the calculator.";
  tell();
  throw error;
}
