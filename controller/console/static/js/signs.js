// Signs beside words: drawn in the colour of the words, and never without them.

import { svg } from "./dom.js";

/** @type {Record<string, string>} */
const PATHS = {
  done: "M5 12.5 10 17.5 19.5 7",
  shoe: "M2 12h4l2.5-6 4 12 3-8 1.5 2H22",
  wrong: "M12 8v5M12 16.5v.1M8.2 2.8h7.6l5.4 5.4v7.6l-5.4 5.4H8.2l-5.4-5.4V8.2z",
  correct: "M4 20l1-4.2L16.2 4.6a1.6 1.6 0 0 1 2.3 0l.9.9a1.6 1.6 0 0 1 0 2.3L8.2 19zM14.2 6.6l3.2 3.2",
  cut: "M6 3h12v18H6zM6 12h12",
  count: "M5 5h9v13H5zM8.5 18v2.5H18V8h-4M8 9h3M8 12.5h3",
  refused: "M12 2.8a9.2 9.2 0 1 0 0 18.4 9.2 9.2 0 0 0 0-18.4zM5.6 5.6l12.8 12.8",
  next: "M12 4v15M5.5 12.5 12 19l6.5-6.5",
  minus: "M12 2.8a9.2 9.2 0 1 0 0 18.4 9.2 9.2 0 0 0 0-18.4zM7.5 12h9",
  plus: "M12 5v14M5 12h14",
  repeat: "M17 3l3.5 3.5L17 10M3.5 12V9.5a3 3 0 0 1 3-3h14M7 21l-3.5-3.5L7 14M20.5 12v2.5a3 3 0 0 1-3 3h-14",
  arrow: "M4 12h15M13 6l6 6-6 6",
  warn: "M12 3 22 20H2zM12 9v5M12 17v.5",
  lock: "M6 11h12v10H6zM8 11V7a4 4 0 0 1 8 0v4",
  back: "M9 7 4 12l5 5M4 12h11a5 5 0 0 1 0 10h-2",
};

/** @param {string} name */
export const icon = (name) => svg("svg", { viewBox: "0 0 24 24", class: `icon icon-${name}`, "aria-hidden": "true" },
  svg("path", { d: PATHS[name] ?? "" }));
