#!/usr/bin/env python3
"""report_page.py PAGE:WIDTH...: writes measured.html, which a browser runs with --dump-dom: each page in a frame of that width (windows
cannot be as narrow as phones), without the policy that forbids scripts and with a script that measures it.

report_page.py DUMPED: prints what the scripts have found.
"""
import html
import re
import sys

SCRIPT = """<script>
const found = [];
const folds = [...document.querySelectorAll('.fold')];
const folded = document.documentElement.scrollHeight;
for (const f of folds) f.checked = true;
const unfolded = document.documentElement.scrollHeight;
if (folds.length && innerWidth < 500 && folded * 3 > unfolded) found.push('folded it is ' + folded + ' high, unfolded ' + unfolded);
if (innerWidth > 800 && folds.some(f => f.offsetHeight)) found.push('a fold is seen where there is room');
const first = document.querySelector('.verdict');
if (first && first.getBoundingClientRect().top > 500) found.push('the verdict is not on the first screen');
const figures = [...document.querySelectorAll('.figure')];
if (first && figures.length !== 3) found.push(figures.length + ' figures');
const boxes = figures.map(e => e.getBoundingClientRect());
boxes.forEach((a, i) => boxes.slice(i + 1).forEach(b => { if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1) found.push('figures overlap'); }));
if (innerWidth > 800 && new Set(boxes.map(b => Math.round(b.top))).size > 1) found.push('the figures do not stand beside each other');
const visible = e => { const r = e.getBoundingClientRect(); return r.width > 1 && r.height > 1; };
for (const e of document.body.querySelectorAll('*')) {
  const s = getComputedStyle(e);
  if (s.display === 'inline' || !visible(e) || e.closest('svg') || e.closest('thead') && getComputedStyle(e.closest('thead')).position === 'absolute') continue;
  if (e.scrollWidth > e.clientWidth + 1 && s.overflowX === 'visible') found.push('overflow: ' + e.tagName + ' ' + e.textContent.slice(0, 40));
}
if (document.documentElement.scrollWidth > innerWidth) found.push('the page is wider than the window: ' + document.documentElement.scrollWidth);
const channels = c => { const m = c.match(/[0-9.]+/g).map(Number); return m.length < 4 ? [...m, 1] : m; };
const light = c => { const [r, g, b] = c.slice(0, 3).map(v => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const behind = e => { for (; e; e = e.parentElement) { const c = channels(getComputedStyle(e).backgroundColor); if (c[3] > 0) return c; } return [255, 255, 255, 1]; };
let worst = 99, n = 0;
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const e = walker.currentNode.parentElement;
  if (!walker.currentNode.textContent.trim() || e.tagName === 'SCRIPT' || !visible(e)) continue;
  const a = light(channels(getComputedStyle(e).color)), b = light(behind(e)), ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  n++;
  if (ratio < worst) worst = ratio;
  if (ratio < 4.5) found.push('contrast ' + ratio.toFixed(2) + ': ' + walker.currentNode.textContent.slice(0, 40));
}
if (n < 50) found.push('only ' + n + ' texts are seen');
const requests = performance.getEntriesByType('resource').map(r => r.name).filter(r => !r.startsWith('file:'));
for (const i of document.images) if (!i.alt) found.push('a picture without words: ' + i.src);
if (requests.length) found.push('asks the network for ' + requests);
let level = 0;
for (const h of document.querySelectorAll('h1,h2,h3,h4')) { const l = +h.tagName[1]; if (l > level + 1) found.push('heading level left out: ' + h.textContent); level = l; }
for (const l of ['header', 'nav', 'main', 'footer', 'h1']) if (document.querySelectorAll(l).length !== 1) found.push('not one ' + l);
for (const t of document.querySelectorAll('table')) {
  if (!t.querySelector('caption') || !t.querySelector('thead th[scope=col]') || !t.querySelector('tbody th[scope=row]')) found.push('a table without headers');
}
for (const s of document.querySelectorAll('svg')) if (!s.hasAttribute('aria-hidden') && !s.querySelector('title')) found.push('a picture without words');
for (const a of document.querySelectorAll('a')) if (a.hash && !document.getElementById(a.hash.slice(1))) found.push('a link to nowhere: ' + a.textContent);
const dark = matchMedia('(prefers-color-scheme: dark)').matches;
const out = document.createElement('pre');
out.className = 'found';
out.textContent = [frameElement.title + ' ' + innerWidth + ' wide, ' + (dark ? 'dark' : 'light') + ': ' + found.length + ' problems', ...found].join('\\n');
frameElement.after(out);
</script>
"""


def framed(page: str, width: str) -> str:
    text = open(page, encoding="utf-8").read()
    text, n = re.subn(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
    assert n == 1 or "<img " in text, "the page has no policy"
    held = html.escape(text.replace("</body>", SCRIPT + "</body>"))
    return f'<iframe title="{html.escape(page)}" width="{width}" height="900" style="border:0" srcdoc="{held}"></iframe>'


if ":" in sys.argv[1]:
    frames = [framed(*wish.split(":")) for wish in sys.argv[1:]]
    with open("measured.html", "w", encoding="utf-8") as file:
        file.write('<!DOCTYPE html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><body>' + "".join(frames))
else:
    dumped = open(sys.argv[1], encoding="utf-8").read()
    found = re.findall(r'<pre class="found">(.*?)</pre>', dumped, re.S)
    if len(found) != dumped.count("<iframe "):
        found.append(f"{len(found)} of {dumped.count('<iframe ')} pages were measured")
    print("\n".join(map(html.unescape, found)) or "the browser gave no page")
