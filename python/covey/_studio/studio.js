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
const sayLanguage = () => {
  if (document.documentElement.lang !== window.covey.language) document.documentElement.lang = window.covey.language;
};
sayLanguage(); // and again when the framework has set its own
new MutationObserver(sayLanguage).observe(document.documentElement, { attributes: true, attributeFilter: ["lang"] });
if (window.covey.theme !== "auto") document.documentElement.dataset.theme = window.covey.theme;
document.addEventListener("DOMContentLoaded", () => {
  const popup = document.getElementById("popup");
  if (!popup) return;
  popup.setAttribute("role", "alert");
  [...popup.querySelectorAll("span")].forEach((span, i) => (span.textContent = window.covey.lost[i] || ""));
});
// Back and forward are a matter of the page: the server draws the screen of the address.
window.addEventListener("popstate", () => emitEvent("covey-screen", new URLSearchParams(location.search).get("screen") || ""));
// Shares on an axis, and other numbers, as the language writes them.
window.coveyPercent = (share) => (share * 100).toLocaleString(window.covey.language, { maximumFractionDigits: 1 }) + (window.covey.language === "de" ? "\u202f%" : "%");
window.coveyNumber = (value) => value.toLocaleString(window.covey.language);
// Bounds of an estimate: a line from lower to upper with two short ends.
window.coveyInterval = (params, api) => {
  const x = api.value(0), low = api.coord([x, api.value(1)]), high = api.coord([x, api.value(2)]), half = Math.min(5, api.size([1, 0])[0] / 3);
  const style = { stroke: api.visual("color"), lineWidth: 1.5, opacity: api.size([1, 0])[0] < 16 ? 0.3 : 0.75 };
  const line = (x1, y1, x2, y2) => ({ type: "line", shape: { x1, y1, x2, y2 }, style });
  return { type: "group", children: [line(low[0], low[1], high[0], high[1]), line(low[0] - half, low[1], low[0] + half, low[1]), line(high[0] - half, high[1], high[0] + half, high[1])] };
};
