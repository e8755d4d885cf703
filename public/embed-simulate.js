// A failure, played in the embed: the Simulate view's worker and Wasm module, loaded when someone presses the button and not before.
//
// Only the answer is shown; what is played is the embed's scenario with the view's own first experiment, or the one picked in the answer.
import { styled } from "./view.js";

const isStill = matchMedia("(prefers-reduced-motion: reduce)");
let worker;
let busy = true; // until the worker says that it listens
let waiting;

export function play(place, inputs) {
  if (!worker) start(place, inputs);
  else ask("run", inputs);
}

function start(place, inputs) {
  styled("simulate.css");
  place.innerHTML = '<div id="sim" class="hr-answer"><p class="hr-sub" role="status">Loading the simulator.</p></div>';
  const sim = place.firstChild;
  const failed = () => {
    worker = undefined;
    busy = true;
    sim.innerHTML = '<p class="hr-status hr-danger" role="alert">The simulator has stopped on an error of its own.</p>';
  };
  worker = new Worker(new URL("simulate-worker.js", import.meta.url));
  worker.addEventListener("error", failed);
  worker.addEventListener("message", ({ data }) => {
    busy = false;
    if (data) show(sim, data);
    if (waiting) send(...waiting);
    else if (!data) send("", inputs, true);
    else if (data[8]) send("work", inputs);
  });
  let width = 0;
  new ResizeObserver(([{ contentRect }]) => {
    if (Math.round(contentRect.width) === width) return;
    width = Math.round(contentRect.width);
    if (worker && !waiting) ask("", inputs);
  }).observe(sim);
  place.addEventListener("click", (event) => {
    const pressed = event.target.closest("[data-do]");
    if (!pressed || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const [verb, ...argument] = pressed.dataset.do.split(" ");
    if (verb === "sim") ask(argument.join(" "), inputs);
  });
  place.addEventListener("toggle", ({ target }) => target.dataset?.table && ask(`table ${target.dataset.table} ${target.open ? "open" : "closed"}`, inputs), true);
  place.addEventListener("input", ({ target }) => target.id === "sim-at" && move(target.valueAsNumber, inputs));
}

function ask(action, inputs, at) {
  if (busy) waiting = [action, inputs, false, at];
  else send(action, inputs, false, at);
}

function send(action, inputs, isStart, at) {
  busy = true;
  waiting = undefined;
  const px = 0.75 * parseFloat(getComputedStyle(document.documentElement).fontSize);
  const width = (id) => document.getElementById(id)?.clientWidth || Math.max(240, document.getElementById("sim").clientWidth - 24);
  worker.postMessage([action, null, inputs(), isStart ? "?view=simulate" : null, isStart ? "" : null, [width("sim-plot-served"), width("sim-plot-most"), px], at ?? null, isStill.matches]);
}

function show(sim, [changes, , , said, , , share, spoken]) {
  const focused = document.activeElement?.id;
  for (const [id, html] of changes) {
    const place = id === "sim" ? sim : sim.querySelector(`#${CSS.escape(id)}`);
    if (!place) continue;
    const open = [...place.querySelectorAll("details[open]")].map((details) => details.id);
    place.innerHTML = html;
    for (const id of open) if (id && document.getElementById(id)) document.getElementById(id).open = true;
  }
  if (focused && document.activeElement?.id !== focused && sim.contains(document.getElementById(focused))) document.getElementById(focused).focus({ preventScroll: true });
  const slider = document.getElementById("sim-at");
  if (slider) {
    if (document.activeElement !== slider) slider.value = share * slider.max;
    slider.setAttribute("aria-valuetext", spoken);
    line(slider);
  }
  if (said) document.getElementById("announcer").textContent = said;
}

const line = (slider) => document.getElementById("sim-charts")?.style.setProperty("--at", slider.max > 0 ? slider.value / slider.max : 0);
function move(at, inputs) {
  const charts = document.getElementById("sim-charts");
  if (charts) charts.dataset.looked = "";
  line(document.getElementById("sim-at"));
  ask("", inputs, at);
}
