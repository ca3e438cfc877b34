// Kept small: colours for plots, the focus when a part of the page is drawn again, and what a lost server means.
(() => {
  window.coveyColour = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
  window.coveyCopy = (text) => navigator.clipboard && navigator.clipboard.writeText(text);

  // Whatever had the focus gets it back when it was drawn again.
  let last = null;
  document.addEventListener("focusin", (e) => {
    const keyed = e.target.closest && e.target.closest("[data-key]");
    last = keyed ? keyed.dataset.key : null;
  });
  document.addEventListener("pointerdown", (e) => {
    if (!(e.target.closest && e.target.closest("[data-key]"))) last = null;
  });
  new MutationObserver(() => {
    if (last === null || (document.activeElement && document.activeElement !== document.body)) return;
    const again = document.querySelector(`[data-key="${CSS.escape(last)}"]`);
    if (again) again.focus({ preventScroll: true });
  }).observe(document.documentElement, { childList: true, subtree: true });
})();
// The language and the colours, and what a lost server means.
document.documentElement.lang = window.covey.language;
if (window.covey.theme !== "auto") document.documentElement.dataset.theme = window.covey.theme;
document.addEventListener("DOMContentLoaded", () => {
  const popup = document.getElementById("popup");
  if (!popup) return;
  popup.setAttribute("role", "alert");
  [...popup.querySelectorAll("span")].forEach((span, i) => (span.textContent = window.covey.lost[i] || ""));
});
