//! The style of the page: light and dark, wide and narrow.

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
p { max-width: 46rem; overflow-wrap: anywhere; }
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
td.number, th.number { text-align: right; }
td.number { white-space: nowrap; }
th.group { border-bottom: 0; padding-bottom: 0; }
th.case { color: var(--ink); padding-top: 14px; overflow-wrap: anywhere; }
td.worst { overflow-wrap: anywhere; min-width: 9rem; } td.worst small { color: var(--soft); }
.compared td.worst, .compared tr + tr th:not(.number) { padding-left: 8px; }
details { margin: 8px 0; }
summary { cursor: pointer; color: var(--link); }
.results { font-size: 1.08rem; max-width: 52rem; }
.quick { border-left: 4px solid var(--part); background: var(--panel); padding: 8px 12px; max-width: 52rem; }
.headline { display: grid; gap: 0 32px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); }
.shown { min-width: 0; }
.shows { color: var(--soft); font-size: 0.88rem; margin: 2px 0 10px; }
.counts { width: auto; } .counts th, .counts td { padding-right: 22px; }
.claims { list-style: none; margin: 18px 0 0; padding: 0; }
.claim { border-top: 1px solid var(--line); padding: 12px 0; display: grid; gap: 8px 28px;
  grid-template-columns: minmax(0, 1fr) 26rem; scroll-margin-top: 8px; }
.claim:target { background: var(--panel); box-shadow: -10px 0 0 var(--panel), 10px 0 0 var(--panel); }
.claim blockquote { margin: 0; font-size: 1.02rem; max-width: 46rem; }
.claim .where { color: var(--soft); font-size: 0.88rem; margin: 2px 0 4px; }
.claim .id { color: inherit; font-size: 0.92em; text-decoration: none; }
.claim details { margin: 2px 0; font-size: 0.92rem; }
.cells { display: grid; grid-template-columns: 1fr 1fr; gap: 6px; align-content: start; }
.cell { border: 1px solid var(--line); border-radius: 6px; padding: 2px 9px; font-size: 0.85rem;
  background: var(--panel); color: var(--soft); }
.cell b { font-weight: 600; display: block; }
.holds b { color: var(--yes); } .holds-in-part b { color: var(--part); }
.does-not-hold b { color: var(--no); }
.figures-of-claim { margin: 6px 0 0; padding-left: 18px; }
.claim li, .claim p { overflow-wrap: anywhere; }
code { font: 0.9em ui-monospace, 'SF Mono', Menlo, Consolas, monospace; background: var(--panel);
  padding: 1px 5px; border-radius: 4px; }
footer { color: var(--soft); font-size: 0.9rem; padding: 48px 20px 40px; }
@media (max-width: 600px) { body { font-size: 15px; } h1 { font-size: 1.5rem; }
  h2 { margin-top: 40px; } main, header, footer { padding-left: 14px; padding-right: 14px; }
  .results { font-size: 1rem; } table { font-size: 0.8rem; } td.number { white-space: normal; }
  th, td { padding-right: 6px; } th:last-child, td:last-child { padding-right: 0; }
  td:first-child { overflow-wrap: anywhere; } .counts th, .counts td { padding-right: 8px; }
  .cases { font-size: 0.7rem; } .cases th, .cases td { padding-right: 4px; }
  .compared thead { display: none; }
  .compared tr { display: grid; grid-template-columns: 9rem minmax(0, 1fr); gap: 0 12px; padding: 8px 0;
    text-align: left; border-bottom: 1px solid var(--line); }
  .compared td { display: contents; } .compared td:first-child { font-weight: 600; }
  .compared td::before { color: var(--soft); font-weight: 400; text-align: left; }
  .compared td:nth-child(1)::before { content: 'agent'; } .compared td:nth-child(2)::before { content: 'cases'; }
  .compared td:nth-child(3)::before { content: 'over the baseline, median'; }
  .compared td:nth-child(4)::before { content: 'geometric mean'; } .compared td:nth-child(5)::before { content: 'worst'; }
  .compared td:nth-child(6)::before { content: 'over the best, geometric mean'; }
  .compared td:nth-child(7)::before { content: 'worst'; } .compared td:nth-child(8)::before { content: '99th percentile, worst'; } }
@media (max-width: 900px) { .claim { grid-template-columns: minmax(0, 1fr); } }
";
