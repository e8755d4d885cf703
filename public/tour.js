// The tour: five steps beside the parts that they are about. It takes nothing away: the page stays as it is and can be used.
// Next, Back and the arrow keys go on, Escape and Skip end it; the focus is taken only when the tour was asked for, and given back.

const STEPS = [
  ["#form", "What you know", "Rate, latency, proxies, hosts. An empty field has a default, shown in gray. This is a worked example: type over it, and everything else follows with each keystroke."],
  ["#s-say", "The answer", "One sentence to read aloud: the limit of each proxy, what it refuses at the peak, and what all proxies together may have in flight."],
  ["#s-gauge", "The window", "Left of it healthy traffic is refused, right of it the fleet can overrun the hosts. Where it closes, no number works, and the ways out stand here."],
  ["#why-default-max_requests", "Why this number", "Every number opens like this one: formula, values, source, and why not the other numbers that come to mind."],
  ["#rail", "Take it", "Envoy’s own format, with a comment for each line that matters, to copy or to save. Copy link, at the top, holds all inputs."],
];

let box;
let ring;
let at = 0;
let before; // what had the focus
const places = new CSSStyleSheet(); // no element has a style of its own
document.adoptedStyleSheets.push(places);

function make(tag, parts, ...children) {
  const made = Object.assign(document.createElement(tag), parts);
  made.append(...children);
  return made;
}

function build() {
  ring = make("div", { className: "hr-tour-ring", popover: "manual", ariaHidden: "true" });
  const title = make("h2", { id: "tour-title" });
  const words = make("p", { id: "tour-words" });
  const place = make("small", {});
  const back = make("button", { type: "button", className: "hr-btn", id: "tour-back", textContent: "Back", onclick: () => go(at - 1) });
  const next = make("button", { type: "button", className: "hr-btn hr-btn--main", id: "tour-next", onclick: () => go(at + 1) });
  const skip = make("button", { type: "button", className: "hr-btn hr-btn--quiet", id: "tour-skip", textContent: "Skip", onclick: end });
  const live = make("div", { ariaLive: "polite" }, title, words);
  box = make("div", { className: "hr-tour", id: "tour-box", popover: "manual", role: "dialog" }, live, make("div", {}, place, skip, back, next));
  box.setAttribute("aria-labelledby", "tour-title");
  box.setAttribute("aria-describedby", "tour-words");
  box.addEventListener("keydown", (event) => {
    if (event.key === "ArrowRight") go(at + 1);
    else if (event.key === "ArrowLeft") go(at - 1);
    else return;
    event.preventDefault();
  });
  document.body.append(ring, box);
}

function go(step) {
  if (step >= STEPS.length) return end();
  at = Math.max(0, step);
  const [, title, words] = STEPS[at];
  box.querySelector("h2").textContent = title;
  box.querySelector("p").textContent = words;
  box.querySelector("small").textContent = `${at + 1} of ${STEPS.length}`;
  box.querySelector("#tour-back").classList.toggle("hr-tour__none", at === 0);
  box.querySelector("#tour-next").textContent = at === STEPS.length - 1 ? "Done" : "Next";
  if (at === 0 && document.activeElement === box.querySelector("#tour-back")) box.querySelector("#tour-next").focus();
  const part = target();
  // The first step stands where the page opens.
  if (part && (at > 0 || step > 0 || before)) part.scrollIntoView({ block: part.offsetHeight > innerHeight * 0.6 ? "start" : "center", behavior: "instant" });
  put();
}

// A derivation that is closed has no place: the button that opens it has.
function target() {
  const part = document.querySelector(STEPS[at][0]);
  return part?.getClientRects().length ? part : document.getElementById("s-why-default.max_requests");
}

function put() {
  if (!box?.matches(":popover-open")) return;
  const part = target();
  const area = part.getBoundingClientRect();
  const [width, height] = [box.offsetWidth, box.offsetHeight];
  const top = Math.max(area.top - 4, 4);
  const bottom = Math.min(area.bottom + 4, innerHeight - 4);
  // Below it where there is room, else beside it and low, where it does not stand before the answer, else above, else at the foot.
  const room = { right: innerWidth - area.right > width + 24, left: area.left > width + 24, below: innerHeight - bottom > height + 20, above: top > height + 20 };
  let [x, y] = [Math.min(Math.max(area.left, 8), innerWidth - width - 8), innerHeight - height - 8];
  if (room.below && area.width < innerWidth) y = bottom + 10;
  else if (room.right || room.left) [x, y] = [room.right ? area.right + 16 : area.left - width - 16, bottom - height - 12];
  else if (room.above) y = top - height - 10;
  places.replaceSync(
    `.hr-tour-ring { left: ${Math.max(area.left - 4, 2)}px; top: ${top}px; width: ${Math.min(area.width + 8, innerWidth - 4)}px; height: ${Math.max(bottom - top, 0)}px; }
    .hr-tour { left: ${x}px; top: ${y}px; }`,
  );
}

function keys(event) {
  if (event.key === "Escape" && !document.querySelector("[popover=auto]:popover-open")) end();
}
function follow() {
  requestAnimationFrame(put);
}

function end() {
  if (!box?.matches(":popover-open")) return;
  const hadFocus = box.contains(document.activeElement);
  ring.hidePopover();
  box.hidePopover();
  removeEventListener("keydown", keys);
  removeEventListener("scroll", follow, true);
  removeEventListener("resize", follow);
  if (hadFocus) (before ?? document.getElementById("answer")).focus({ preventScroll: true });
}

// Begins; the focus goes there only where somebody asked for the tour.
export function start(isAsked) {
  if (!box) build();
  before = isAsked ? document.activeElement : undefined;
  ring.showPopover();
  box.showPopover();
  addEventListener("keydown", keys);
  addEventListener("scroll", follow, { capture: true, passive: true });
  addEventListener("resize", follow);
  go(0);
  if (isAsked) box.querySelector("#tour-next").focus({ preventScroll: true });
}
