// Runs before the page is drawn, so that a dark screen never flashes white. Only the choice of
// light or dark is ever kept here; nothing of the game is.
(() => {
  const chosen = localStorage.getItem("theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
})();
