// The list of keys, as a dialog: loaded when it is first asked for. Escape and the way back of the focus are the browser's.

function make(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

const dialog = make("dialog", "hr-keys", "");
const title = make("h2", "", "Keyboard shortcuts");
title.id = "keys-title";
dialog.setAttribute("aria-labelledby", title.id);
const table = make("dl", "hr-keys__list", "");
const box = Object.assign(document.createElement("input"), { type: "checkbox", id: "keys-on" });
const label = make("label", "hr-pick", "");
label.append(box, "Single keys work");
const close = make("button", "hr-btn", "Close");
close.type = "button";
close.addEventListener("click", () => dialog.close());
dialog.append(title, table, label, make("p", "hr-sub", "They rest while you type into a field. The button at the foot of the page opens this list in any case."), close);
document.body.append(dialog);

// Opens the list: `views` are letters and names of the views there are, `turn` is told what is chosen.
export function open(views, isOn, turn) {
  const rows = [
    [["?"], "This list"],
    ...views.map(([letter, name]) => [["g", letter], name]),
    [["/"], "To the first input"],
    [["y"], "Copy the YAML, or the audited text"],
    [["l"], "Copy the link"],
    [["t"], "Theme: system, light, dark"],
    [["Esc"], "Close what is open"],
  ];
  table.replaceChildren(
    ...rows.flatMap(([keys, what]) => {
      const term = make("dt", "", "");
      keys.forEach((key, at) => term.append(at ? " then " : "", make("kbd", "", key)));
      return [term, make("dd", "", what)];
    }),
  );
  box.checked = isOn;
  box.onchange = () => turn(box.checked);
  if (!dialog.open) dialog.showModal();
}
