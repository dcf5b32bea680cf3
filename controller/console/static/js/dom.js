// Building pages: elements, and sections that are drawn again only when what they show has changed.

const SVG = "http://www.w3.org/2000/svg";

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    // What has been drawn anew since is not pressed any more.
    if (name.startsWith("on")) element.addEventListener(name.slice(2), (event) => element.isConnected && value(event));
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(4).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const h = (tag, attributes, ...children) => filled(document.createElement(tag), attributes, children);
export const svg = (tag, attributes, ...children) => filled(document.createElementNS(SVG, tag), attributes, children);
export const button = (label, onclick, attributes = {}) => h("button", { type: "button", onclick, ...attributes }, label);
export const byId = (id) => document.getElementById(id);

// Draws `parts()` into `place` unless `shows` is what was drawn last. Focus stays on the control
// with the same data-key, so that a step of the table never takes the keyboard from a person.
export function draw(place, shows, parts) {
  const now = JSON.stringify(shows);
  if (place.shows === now) return;
  place.shows = now;
  const held = place.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  place.replaceChildren(...[parts()].flat(4).filter(Boolean));
  if (held) place.querySelector(`[data-key="${CSS.escape(held)}"]`)?.focus();
}

export const pretty = (id) => {
  const words = String(id ?? "").replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

// Minor units as people write money; cents only where there are some.
export function money(amount) {
  const cents = amount % 100 !== 0;
  return (amount / 100).toLocaleString("en-US", {
    minimumFractionDigits: cents ? 2 : 0,
    maximumFractionDigits: 2,
  });
}

export const clock = (at) => new Date(at * 1000).toISOString().slice(11, 19);
export const day = (at) => new Date(at * 1000).toISOString().slice(0, 10);
