// Building the page: text is always text, never markup, whatever somebody calls themselves.

const SVG = "http://www.w3.org/2000/svg";

export const byId = (id) => document.getElementById(id);

// h("button", { class: "plain", onclick: f, hidden: true }, "text", child, null)
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child != null && child !== false));
  return element;
}

function s(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// Every seat has a shape of its own besides its number: circle, diamond, square, triangle,
// pentagon, star.
const SHAPES = [
  "M16 3a13 13 0 1 0 .01 0z",
  "M16 1l15 15-15 15L1 16z",
  "M4 4h24v24H4z",
  "M16 1l15 28H1z",
  "M16 1l15 11-6 18H7L1 12z",
  "M16 0l4.6 10.4L32 12l-8.200 7.800L26 31l-10-5.600L6 31l2.200-11.200L0 12l11.400-1.600z",
];

export function seatMark(seat) {
  const low = seat === 3 ? 25 : 21.5;
  return s("svg", { viewBox: "-1 -1 34 34", class: `mark mark-${seat}`, "aria-hidden": "true" },
    s("path", { d: SHAPES[seat] ?? SHAPES[0] }),
    s("text", { x: 16, y: low, "text-anchor": "middle" }, String(seat + 1)));
}

// Runs an action of a button once at a time; what is refused is told.
export function button(label, action, attributes = {}) {
  const made = h("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", () => busy(made, action));
  return made;
}

export async function busy(element, action) {
  if (element.getAttribute("aria-disabled") === "true") return;
  element.setAttribute("aria-disabled", "true");
  try {
    await action();
  } catch (error) {
    toast(error.message);
  } finally {
    element.removeAttribute("aria-disabled");
  }
}

export function toast(text) {
  const note = h("p", { class: "toast" }, text);
  byId("toasts").append(note);
  setTimeout(() => note.remove(), 3000 + 60 * text.length);
}

// Asks something in a dialog; resolves to what was typed (or ""), or to null when declined.
export function askPerson({ text, more = null, yes, no, input = null, isGrave = false }) {
  return new Promise((resolve) => {
    const field = input && h("input", { type: "text", maxlength: 200, "aria-label": input.label,
      placeholder: input.label, value: input.value ?? "", autocomplete: "off" });
    const dialog = h("dialog", { class: "ask" },
      h("form", { method: "dialog" },
        h("p", { class: "question" }, text),
        more && h("p", { class: "quiet" }, more),
        field,
        h("div", { class: "tools" },
          h("button", { value: "no", type: "button", class: "plain", onclick: () => dialog.close() }, no),
          h("button", { value: "yes", class: isGrave ? "grave" : "main" }, yes))));
    dialog.querySelector("form").addEventListener("submit", (event) => {
      event.preventDefault();
      dialog.close("yes");
    });
    dialog.addEventListener("close", () => {
      resolve(dialog.returnValue === "yes" ? field?.value.trim() ?? "" : null);
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
