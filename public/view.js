// What views share: the form as it stands, a style sheet that comes with a view, files that are taken away.

export const element = (id) => document.getElementById(id);

// The scenario's inputs, by name; those that are empty say nothing.
export const formTexts = () =>
  [...document.querySelectorAll("#form :is(input, select)[name]")]
    .map(({ name, type, checked, value }) => [name, type === "checkbox" ? String(checked) : value])
    .filter(([, text]) => text.trim());

// Loads a style sheet that lies beside this file; done when it holds, or cannot be had.
export function styled(name) {
  const style = document.createElement("link");
  style.rel = "stylesheet";
  style.href = new URL(name, import.meta.url);
  const done = new Promise((resolve) => (style.onload = style.onerror = resolve));
  document.head.append(style);
  return done;
}

// Hands a text over as a file.
export function save(name, text, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
