// What page modules find in a browser as they are imported. Nothing is pressed in these tests, and
// no clock of a page keeps Node from ending.

globalThis.addEventListener = () => {};
const { setInterval } = globalThis;
globalThis.setInterval = (run, ms) => setInterval(run, ms).unref();
