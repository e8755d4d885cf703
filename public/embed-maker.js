// The snippet maker (?view=embed): choose, look at the embed itself, copy. Loaded when the view is first opened.
//
// Nothing is computed here: the preview is the element that is copied, and what it is told are the texts of the form as they stand.
import "./embed.js";

const base = new URL("./", document.baseURI).href;
const panels = { form: "Inputs", thresholds: "All limits", chart: "What trips first", ladder: "Timeout ladder", yaml: "YAML", simulate: "Simulate a failure" };
const widths = { "100%": "Full width", 320: "320 px", 360: "360 px", 700: "700 px" };
const kinds = { element: "Element", iframe: "Frame", markdown: "Markdown image" };
const notes = {
  element: "Sizes itself, follows its attributes and tells the page of changes. The page's policy needs script-src and frame-src for this address.",
  iframe: "Without a script the height is fixed: it is the one of the preview. The page's policy needs frame-src for this address.",
  markdown: "For documents that allow no frame: a picture that the command line draws, with a link to the numbers.",
};

function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
const option = ([value, label]) => make("option", { value }, label);
const field = (id, label, control) => make("div", { class: "hr-field hr-field--wide" }, make("div", { class: "hr-field__label" }, make("label", { for: id }, label)), control);

const style = make("link", { rel: "stylesheet", href: new URL("embed-maker.css", import.meta.url) });
const boxes = Object.entries(panels).map(([name, label]) => make("label", { class: "hr-pick" }, make("input", { type: "checkbox", value: name, id: `maker-${name}`, ...(name === "form" && { checked: "" }) }), label));
const theme = make("select", { class: "hr-input hr-input--text", id: "maker-theme" }, ...["auto", "light", "dark"].map((word) => option([word, word])));
const accent = make("input", { class: "hr-input hr-input--text", id: "maker-accent", placeholder: "2046b0", autocomplete: "off", spellcheck: "false", maxlength: 7, "aria-describedby": "maker-accent-error" });
const wrongAccent = make("p", { class: "hr-field__error", id: "maker-accent-error" });
const width = make("select", { class: "hr-input hr-input--text", id: "maker-width" }, ...Object.keys(widths).sort((a) => (a === "100%" ? -1 : 0)).map((value) => option([value, widths[value]])));
const inputs = make("div", { class: "hr-maker__inputs" });
const place = make("div", { class: "hr-maker__place" });
const preview = document.createElement("headroom-calculator");
preview.title = "Preview of the embed";
place.append(preview);
const code = make("code", { id: "maker-code" });
const note = make("p", { class: "hr-sub" });
const tabs = Object.entries(kinds).map(([kind, label]) => make("button", { type: "button", "data-kind": kind, "aria-pressed": String(kind === "element") }, label));
const copied = make("button", { class: "hr-btn hr-btn--main", type: "button", id: "maker-copy" }, "Copy");
const said = make("p", { class: "hr-vh", "aria-live": "polite" });

const choice = make(
  "form",
  { class: "hr-form", id: "maker-form", "aria-label": "Embed" },
  make("h2", {}, "Embed"),
  make("p", { class: "hr-sub" }, "The scenario is the one of the Size view."),
  make("fieldset", { class: "hr-group" }, make("legend", {}, "Panels"), ...boxes),
  make("fieldset", { class: "hr-group" }, make("legend", {}, "Looks"), field("maker-theme", "Theme", theme), field("maker-accent", "Accent", accent), wrongAccent, field("maker-width", "Width", width)),
  make("details", { class: "hr-group" }, make("summary", {}, "Locked and hidden inputs"), inputs),
);
const view = make(
  "main",
  { class: "hr-answer", id: "maker", tabindex: "-1" },
  make("h1", { class: "hr-vh" }, "Snippet for your page"),
  make("section", { class: "hr-block", "aria-labelledby": "maker-see" }, make("h2", { id: "maker-see" }, "Preview"), place),
  make(
    "section",
    { class: "hr-block", "aria-labelledby": "maker-take" },
    make("div", { class: "hr-head--row" }, make("h2", { id: "maker-take" }, "Snippet"), copied),
    make("div", { class: "hr-seg", role: "group", "aria-label": "Kind of snippet" }, ...tabs),
    note,
    make("pre", { class: "hr-yaml hr-maker__code", tabindex: "0", role: "region", "aria-label": "Text to copy" }, code),
    make("p", { class: "hr-sub" }, "Pages to look at: ", make("a", { href: "examples/plain.html" }, "plain HTML"), ", ", make("a", { href: "examples/mdbook.html" }, "mdBook"), ", ", make("a", { href: "examples/docusaurus.html" }, "Docusaurus"), ", ", make("a", { href: "examples/mkdocs.html" }, "MkDocs"), "."),
    said,
  ),
);

// The form's texts: name and text of every input that says something else than when it is left alone.
function texts() {
  return [...document.querySelectorAll("#form :is(input, select)[name]")]
    .map((input) => [input.name, input.type === "checkbox" ? (input.checked ? "true" : "") : input.value.trim(), input])
    .filter(([name, text, input]) => text && !(name === "protocol" && text === "http2") && !(name === "envoy_version" && text === input.lastElementChild?.value))
    .map(([name, text]) => [name, text]);
}

function options() {
  const chosen = boxes.map(({ firstChild }) => firstChild).filter(({ checked }) => checked).map(({ value }) => value);
  const marked = (mark) => [...inputs.querySelectorAll("select")].filter(({ value }) => value === mark).map(({ name }) => name).join(",");
  const color = accent.value.trim().replace(/^#/, "");
  const isColor = /^[0-9a-f]{6}$/i.test(color);
  wrongAccent.textContent = color && !isColor ? `“${color}” is not a color of six hexadecimal digits, such as 2046b0.` : "";
  if (wrongAccent.textContent) accent.setAttribute("aria-invalid", "true");
  else accent.removeAttribute("aria-invalid");
  return [
    ["panels", chosen.join() === "form" ? "" : chosen.join() || "form"],
    ["lock", marked("lock")],
    ["hide", marked("hide")],
    ["theme", theme.value === "auto" ? "" : theme.value],
    ["accent", isColor ? color : ""],
  ].filter(([, text]) => text);
}

const escape = (text) => text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);
const attribute = ([name, text]) => `${name}="${escape(text)}"`;
const query = (pairs, start) => [start, ...pairs.map(([name, text]) => `${name}=${encodeURIComponent(text).replace(/['()*!]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`)].join("&");
const quote = (text) => (/^[\w.,:/@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

const snippets = {
  element: (form, chosen) => `<script type="module" src="${escape(base)}embed.js"></script>\n<headroom-calculator ${[...form, ...chosen].map(attribute).join("\n  ")}></headroom-calculator>`,
  iframe(form, chosen) {
    const address = `${base}embed.html?${query(chosen, "embed")}#${query(form, "v=1")}`;
    const height = Math.ceil(parseFloat(preview.firstChild?.style.height) || 460);
    return `<iframe ${[
      ["src", address],
      ["title", "Headroom calculator"],
      ["width", width.value],
      ["height", String(height)],
      ["frameborder", "0"],
      ["loading", "lazy"],
      ["allow", "clipboard-write"],
      ["sandbox", "allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox"],
    ].map(attribute).join("\n  ")}></iframe>`;
  },
  markdown(form) {
    const name = form.find(([name]) => name === "name")?.[1] ?? "my-service";
    const file = `${name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "service"}.svg`;
    const flags = form.map(([name, text]) => `--${name.replaceAll("_", "-")} ${quote(text)}`);
    const label = `Limits of ${name}`.replace(/[\\[\]<>`*_!&]/g, "\\$&");
    return `headroom size ${flags.join(" ")} --output svg > ${file}\n\n[![${label}](${file})](${base}#${query(form, "v=1")})`;
  },
};

let kind = "element";
function show() {
  const [form, chosen] = [texts(), options()];
  const wanted = new Map([...form, ...chosen]);
  for (const name of preview.getAttributeNames()) if (preview.constructor.observedAttributes.includes(name) && name !== "src" && !wanted.has(name)) preview.removeAttribute(name);
  for (const [name, text] of wanted) if (preview.getAttribute(name) !== text) preview.setAttribute(name, text);
  place.style.maxWidth = width.value === "100%" ? "none" : `${width.value}px`;
  note.textContent = notes[kind];
  const text = snippets[kind](form, chosen);
  if (code.textContent !== text) code.textContent = text;
}

// What can be locked and hidden are the inputs of the form.
function list() {
  inputs.replaceChildren(
    ...[...document.querySelectorAll("#form :is(input, select)[name]")].map((input) => {
      const label = document.querySelector(`#form label[for="${input.id}"]`)?.textContent ?? input.closest("label")?.textContent ?? input.name;
      const state = make("select", { class: "hr-input hr-input--text", name: input.name, id: `maker-of-${input.name}` }, ...[["", "open"], ["lock", "locked"], ["hide", "hidden"]].map(option));
      return field(state.id, label, state);
    }),
  );
}

choice.addEventListener("submit", (event) => event.preventDefault());
choice.addEventListener("input", show);
view.addEventListener("click", async ({ target }) => {
  if (target.dataset.kind) {
    kind = target.dataset.kind;
    for (const tab of tabs) tab.setAttribute("aria-pressed", String(tab === target));
    show();
  }
  if (target !== copied) return;
  let worked = true;
  try {
    await navigator.clipboard.writeText(code.textContent);
  } catch {
    worked = false;
    getSelection().selectAllChildren(code);
  }
  copied.textContent = said.textContent = worked ? "Copied" : "Press Ctrl+C";
  setTimeout(() => (copied.textContent = "Copy"), 2000);
});
// The preview tells its height, which is that of the frame in the snippet.
addEventListener("message", ({ source, data }) => {
  if (source === preview.firstChild?.contentWindow && data?.type === "headroom:height") queueMicrotask(show);
});

export function open() {
  if (!view.isConnected) {
    document.head.append(style);
    document.getElementById("rail").after(choice, view);
    list();
  }
  show();
}
