// Takes steps that src/markup/patch.rs writes and describes. Returns of how many parts the document was not what they say.
export const hrPatch = (globalThis.hrPatch = (steps) => {
  let way, lost;
  let n = 0;
  for (const step of steps.split("\0")) {
    const sign = step[0];
    if (sign === "#") {
      way = [document.getElementById(step.slice(1))];
      lost = !way[0];
    } else if (sign && !lost) {
      const number = (at) => step.charCodeAt(at) - 32;
      const end = 3 + number(2);
      way.length = number(1) + 1;
      let at = way.at(-1);
      for (let k = 3; k < end; k++) way.push((at = at?.childNodes.item(number(k))));
      const text = step.slice(end);
      if (at?.nodeType !== (sign === "t" ? 3 : 1) && sign !== "-") lost = true;
      else if (sign === "t") at.data = text;
      else if (sign === "w") {
        const only = at.firstChild;
        if (only?.nodeType === 3 && !only.nextSibling) only.data = text;
        else lost = true;
      }
      else if (sign === "a") {
        const space = text.indexOf(" ");
        at.setAttribute(text.slice(0, space), text.slice(space + 1));
      } else if (sign === "r") at.removeAttribute(text);
      else if (sign === "*") lost = at.getElementsByTagName("*").length !== +text;
      else if (sign === "=") at.innerHTML = text;
      else if (sign === "-") {
        for (let k = +text; k; k--) {
          const gone = at;
          at = at?.nextSibling;
          gone?.remove();
        }
      } else at.insertAdjacentHTML(sign === "+" ? "beforebegin" : "beforeend", text);
      if (lost) n++;
    }
  }
  return n;
});
