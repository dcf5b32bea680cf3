// The linter of the pages' JavaScript. Undefined names and unused ones are the type checker's: it
// knows the browser.

import js from "@eslint/js";

const strict = {
  ...js.configs.recommended.rules,
  "no-undef": "off",
  "no-unused-vars": "off",
  "arrow-body-style": "error",
  complexity: ["error", 15],
  curly: ["error", "multi-line"],
  eqeqeq: "error",
  "max-depth": ["error", 3],
  "max-len": ["error", { code: 120 }],
  "max-lines": ["error", 350],
  "max-lines-per-function": ["error", { max: 40, skipBlankLines: true, skipComments: true }],
  "no-console": "error",
  "no-else-return": "error",
  "no-eval": "error",
  "no-implicit-coercion": "error",
  "no-implied-eval": "error",
  "no-nested-ternary": "error",
  "no-new-func": "error",
  "no-param-reassign": "error",
  "no-return-assign": "error",
  "no-shadow": "error",
  "no-throw-literal": "error",
  "no-unused-expressions": "error",
  "no-use-before-define": ["error", { functions: false, variables: false }],
  "no-useless-return": "error",
  "no-var": "error",
  "object-shorthand": "error",
  "prefer-const": "error",
  "prefer-template": "error",
  "no-restricted-globals": ["error", "sessionStorage", "indexedDB", "event", "name"],
  "no-restricted-properties": [
    "error",
    ...["innerHTML", "outerHTML", "insertAdjacentHTML"].map((property) =>
      ({ property, message: "build elements with h()" })),
  ],
};

// Pages decide by codes, kinds and ids. A sentence is for reading.
const SENTENCE = "[property.name=/^(message|detail|says|text|reason|do|say)$/]";
const readers = ["startsWith", "endsWith", "includes", "indexOf", "match", "search", "split", "test", "exec"].join("|");
const unread = [
  `CallExpression[callee.property.name=/^(${readers})$/] > MemberExpression > MemberExpression.object${SENTENCE}`,
  `CallExpression[callee.property.name=/^(${readers})$/] > MemberExpression.arguments${SENTENCE}`,
  `BinaryExpression[operator=/^[!=]==$/] > MemberExpression${SENTENCE}`,
  `SwitchStatement > MemberExpression.discriminant${SENTENCE}`,
].map((selector) => ({ selector, message: "decide by a code, not by a sentence" }));

export default [
  // A run of the tests may build the pages meanwhile.
  { ignores: ["**/built/", "**/built-*/"] },
  {
    files: ["**/*.js"],
    languageOptions: { ecmaVersion: 2024, sourceType: "module" },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: strict,
  },
  { files: ["**/static/js/*.js"], rules: { "no-restricted-syntax": ["error", ...unread] } },
  { files: ["**/simulators/panel/*.js", "**/js/theme.js"], languageOptions: { sourceType: "script" } },
];
