// Brings the children of an element to those that were just built, and changes only what differs: an
// element that stays the same stays in the page, with its focus, its selection, its running animation and
// the finger that is on it. It takes over the handlers of its twin, so they act on the newest view.

/** @typedef {(event: Event) => unknown} Handler */

/** An element with another one of these is another element, whatever else it shows. */
const IDENTITY = ["data-key", "data-since", "data-of"];
/** Set by scripts after an element was drawn, or only of the moment when it came: they stay as they are. */
const OWN = ["style", "data-motion"];

/** @type {WeakMap<Element, Map<string, Handler>>} */
const handlers = new WeakMap();

/** An element that has been taken out of the page is not pressed any more. @param {Event} event */
function handle(event) {
  const element = /** @type {Element} */ (event.currentTarget);
  if (element.isConnected) handlers.get(element)?.get(event.type)?.(event);
}

/** @param {Element} element @param {string} type @param {Handler} handler */
export function listen(element, type, handler) {
  handlers.set(element, (handlers.get(element) ?? new Map()).set(type, handler));
  element.addEventListener(type, handle); // the same listener is added once
}

/** @param {Element} element @param {Element} twin */
function takeHandlers(element, twin) {
  const wanted = handlers.get(twin);
  handlers.delete(element);
  for (const [type, handler] of wanted ?? []) listen(element, type, handler);
}

/** People press what they read: a control with other words is another control. @param {Element} element */
const words = (element) =>
  (element.matches("button, a") ? `${element.textContent}\n${element.getAttribute("aria-label")}` : "");

/** @param {Element} one @param {Element} other */
const hasSameChildren = (one, other) => one.childNodes.length === other.childNodes.length
  && [...one.childNodes].every((each, at) => each.isEqualNode(other.childNodes[at] ?? null));

/** Whether `fresh` is what `old` has become. @param {Node} old @param {Node} fresh */
function isTwin(old, fresh) {
  if (old.nodeName !== fresh.nodeName) return false;
  if (!(old instanceof Element) || !(fresh instanceof Element)) return true;
  if (IDENTITY.some((name) => old.getAttribute(name) !== fresh.getAttribute(name))) return false;
  // What moves as it comes is new once it shows something else.
  if (fresh.hasAttribute("data-motion") && !hasSameChildren(old, fresh)) return false;
  return words(old) === words(fresh);
}

/**
 * The node from `at` on that becomes `fresh`: by its identity, or the one in the same place.
 * @param {ChildNode | null} at
 * @param {Node} fresh
 */
function twinOf(at, fresh) {
  const hasIdentity = fresh instanceof Element && IDENTITY.some((name) => fresh.hasAttribute(name));
  for (let old = at; old; old = hasIdentity ? old.nextSibling : null) if (isTwin(old, fresh)) return old;
  return null;
}

/** @param {Element} old @param {Element} fresh @returns {boolean} whether anything was changed */
function patchAttributes(old, fresh) {
  let changed = false;
  for (const { name, value } of fresh.attributes) {
    if (OWN.includes(name) || old.getAttribute(name) === value) continue;
    old.setAttribute(name, value);
    if (name === "value" && old instanceof HTMLInputElement && old.value !== value) old.value = value;
    changed = true;
  }
  for (const { name } of [...old.attributes]) {
    const isOpened = name === "open" && old.matches("details");
    if (isOpened || OWN.includes(name) || fresh.hasAttribute(name)) continue;
    old.removeAttribute(name);
    changed = true;
  }
  return changed;
}

/** @param {ChildNode} old @param {Node} fresh @returns {boolean} whether anything was changed */
function patchNode(old, fresh) {
  if (old instanceof Element && fresh instanceof Element) {
    takeHandlers(old, fresh);
    const changed = patchAttributes(old, fresh);
    return patch(old, [...fresh.childNodes]) || changed;
  }
  if (old.nodeValue === fresh.nodeValue) return false;
  old.nodeValue = fresh.nodeValue;
  return true;
}

/** @param {ChildNode} node @returns {ChildNode | null} the one that followed it */
function remove(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}

/**
 * Brings the children of `place` to `fresh`.
 * @param {Element} place
 * @param {Node[]} fresh
 * @returns {boolean} whether anything was changed
 */
export function patch(place, fresh) {
  let changed = false;
  let at = place.firstChild;
  for (const each of fresh) {
    const twin = twinOf(at, each);
    if (twin) {
      for (; at && at !== twin; changed = true) at = remove(at);
      changed = patchNode(twin, each) || changed;
      at = twin.nextSibling;
    } else {
      place.insertBefore(each, at);
      changed = true;
    }
  }
  for (; at; changed = true) at = remove(at);
  return changed;
}
