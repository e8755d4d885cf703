// The learn pages with a script: the small simulations, and what a frame tells the page around it.
//
// What is played and written is decided in the simulator's worker (src/simulator/lessons), which is loaded when somebody runs a
// simulation or changes one, and not before. The page without a script says the same for the settings it was made with.

const root = document.documentElement;

if ("embed" in root.dataset) {
  const tell = () => parent.postMessage({ type: "headroom:height", height: Math.ceil(document.body.getBoundingClientRect().height) }, "*");
  if (parent !== window) new ResizeObserver(tell).observe(document.body);
  for (const link of document.links) {
    if (link.getAttribute("href").startsWith("#")) continue;
    link.target = "_blank";
    link.rel = "noopener";
  }
}

for (const form of document.querySelectorAll("form[data-lesson]")) {
  const lesson = form.dataset.lesson;
  const state = form.querySelector("[data-state]");
  const button = form.querySelector("button");
  const said = document.createElement("p");
  said.className = "hr-vh";
  said.role = "status";
  state.after(said);
  form.hidden = false;

  let worker;
  let busy = true; // until the worker says that it listens
  let wanted = false;
  let since = 0;

  function run() {
    wanted = true;
    if (!worker) {
      state.textContent = "Loading the simulator.";
      worker = new Worker(new URL("../simulate-worker.js", import.meta.url));
      worker.addEventListener("message", answered);
      worker.addEventListener("error", failed);
    }
    next();
  }
  function next() {
    if (busy || !wanted) return;
    [busy, wanted, since] = [true, false, performance.now()];
    const chosen = [...new FormData(form)];
    worker.postMessage([`lesson ${lesson}`, chosen, null, null, null, null, null, null]);
  }
  function answered({ data }) {
    busy = false;
    if (data) {
      const [changes, , , words] = data;
      // Written by the worker, which escapes; nothing in it was typed.
      for (const [id, html] of changes) document.getElementById(id).innerHTML = html;
      said.textContent = words;
      state.textContent = `Played in this browser in ${Math.max(1, Math.round(performance.now() - since))} ms. The same settings give the same run everywhere: seed 42.`;
      root.dataset.played = lesson;
    }
    next();
  }
  function failed() {
    worker?.terminate();
    worker = undefined;
    busy = true;
    state.textContent = "The simulator could not run in this browser. The picture is that of the settings with which the page was made.";
    form.reset();
  }

  form.addEventListener("change", run);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    run();
  });
  button.setAttribute("aria-controls", `mini-${lesson}`);
}
