//! How the page looks: light and dark, wide and narrow.

pub(super) const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1c2024; --soft: #5f6b76; --line: #d8dde2; --paper: #fff;
  --panel: #f6f8fa; --link: #0b62b8; --yes: #0a7d4f; --part: #9a6700; --no: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --soft: #9aa7b3; --line: #333b44;
  --paper: #14181c; --panel: #1b2127; --link: #6cb6ff; --yes: #4cc38a; --part: #e3b341;
  --no: #ff7b72; } }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; }
main, header, footer { max-width: 1180px; margin: 0 auto; padding: 0 20px; }
header { padding-top: 40px; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 8px; letter-spacing: -0.02em; }
h2 { font-size: 1.35rem; margin: 56px 0 4px; letter-spacing: -0.01em; }
p { max-width: 46rem; }
a { color: var(--link); }
.soft { color: var(--soft); }
nav { margin: 20px 0; font-size: 0.95rem; }
nav a { margin-right: 14px; white-space: nowrap; }
figure { margin: 20px 0 8px; }
figcaption { color: var(--soft); font-size: 0.92rem; max-width: 46rem; margin-top: 6px; }
.scroll { overflow-x: auto; -webkit-overflow-scrolling: touch; }
table { border-collapse: collapse; font-size: 0.92rem; width: 100%;
  font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 6px 10px 6px 0; border-bottom: 1px solid var(--line);
  vertical-align: top; }
th { color: var(--soft); font-weight: 600; }
td.number, th.number { text-align: right; white-space: nowrap; }
details { margin: 8px 0; }
summary { cursor: pointer; color: var(--link); }
.verdicts td, .verdicts th { padding-top: 3px; padding-bottom: 3px; }
.verdicts .mark { text-align: center; white-space: nowrap; }
.claim { border-top: 1px solid var(--line); padding: 12px 0; }
.claim blockquote { margin: 0; font-size: 1.02rem; max-width: 46rem; }
.claim .where { color: var(--soft); font-size: 0.88rem; margin: 2px 0 6px; }
.cells { display: flex; flex-wrap: wrap; gap: 6px; }
.cell { border: 1px solid var(--line); border-radius: 6px; padding: 2px 9px; font-size: 0.85rem;
  background: var(--panel); }
.cell b { font-weight: 600; }
.holds b { color: var(--yes); } .holds-in-part b { color: var(--part); }
.does-not-hold b { color: var(--no); }
.figures-of-claim { margin: 6px 0 0; padding-left: 18px; font-size: 0.92rem; }
code { font: 0.9em ui-monospace, 'SF Mono', Menlo, Consolas, monospace; background: var(--panel);
  padding: 1px 5px; border-radius: 4px; }
footer { color: var(--soft); font-size: 0.9rem; padding: 48px 20px 40px; }
@media (max-width: 600px) { body { font-size: 15px; } h1 { font-size: 1.5rem; }
  h2 { margin-top: 40px; } main, header, footer { padding-left: 14px; padding-right: 14px; } }
";
