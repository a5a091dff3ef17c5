// Values under the pointer for every panel of curves in the page. Mouse, touch, keyboard: focus a
// panel, move with the arrow keys, Home and End, leave with Escape.
(function () {
  "use strict";
  var SVG = "http://www.w3.org/2000/svg";
  var box = null;

  function element(name, attributes, parent) {
    var node = document.createElementNS(SVG, name);
    for (var key in attributes) node.setAttribute(key, attributes[key]);
    if (parent) parent.appendChild(node);
    return node;
  }

  function color(key) {
    return "var(--gb-" + key + ", currentColor)";
  }

  function written(value) {
    if (value === null || value === undefined) return "–";
    var size = Math.abs(value);
    if (size !== 0 && (size < 1e-3 || size >= 1e9)) return value.toExponential(2);
    return value.toLocaleString("en-US", { maximumSignificantDigits: size < 1000 ? 3 : 4 });
  }

  function place(axis, value) {
    var a = axis.ends[0], b = axis.ends[1], v = value;
    if (axis.log) {
      if (v <= 0) return NaN;
      a = Math.log(a); b = Math.log(b); v = Math.log(v);
    }
    return axis.at[0] + ((v - a) / (b - a)) * (axis.at[1] - axis.at[0]);
  }

  // The index of the point whose place is nearest.
  function nearest(axis, xs, at) {
    var best = -1, least = Infinity;
    for (var i = 0; i < xs.length; i++) {
      var distance = xs[i] === null ? NaN : Math.abs(place(axis, xs[i]) - at);
      if (distance < least) { least = distance; best = i; }
    }
    return best;
  }

  function tooltip() {
    if (box) return box;
    box = document.createElement("div");
    box.setAttribute("role", "status");
    box.style.cssText = "position:fixed;z-index:1000;pointer-events:none;display:none;max-width:92vw;" +
      "padding:.4em .6em;border-radius:4px;font:12px/1.45 system-ui,sans-serif;white-space:nowrap;" +
      "background:var(--gb-paper,#fff);color:var(--gb-ink,#1f2328);" +
      "border:1px solid var(--gb-muted,#5c636b);box-shadow:0 2px 8px rgba(0,0,0,.25)";
    document.body.appendChild(box);
    return box;
  }

  function attach(panel) {
    var data;
    try { data = JSON.parse(panel.getAttribute("data-hover")); } catch (error) { return; }
    if (!data || !data.series.length) return;
    var svg = panel.ownerSVGElement, plot = data.plot;
    var marks = element("g", { "pointer-events": "none", visibility: "hidden" }, panel);
    var cross = element("path", { "stroke-width": 1, "stroke-dasharray": "3 3" }, marks);
    cross.style.stroke = color("muted");
    var dots = data.series.map(function (series) {
      var dot = element("circle", { r: 4, "stroke-width": 1.5 }, marks);
      dot.style.fill = color(series.color);
      dot.style.stroke = color("paper");
      return dot;
    });
    var target = element("rect", {
      x: plot[0], y: plot[1], width: plot[2] - plot[0], height: plot[3] - plot[1],
      fill: "transparent", tabindex: 0, role: "slider", "aria-label": "values of the curves"
    }, panel);
    target.style.touchAction = "pan-y";
    target.style.outlineOffset = "2px";
    // Until it can be operated, the drawing is a single image to screen readers.
    svg.setAttribute("role", "group");
    // Arrow keys walk along the longest list of places.
    var walk = data.xs.reduce(function (a, b) { return b.length > a.length ? b : a; }, []);
    var step = walk.length - 1;

    function hide() {
      marks.setAttribute("visibility", "hidden");
      if (box) box.style.display = "none";
    }

    function show(at) {
      var rows = [], here = null;
      data.series.forEach(function (series, k) {
        var i = nearest(data.x, data.xs[series.xs], at);
        var x = i < 0 ? null : data.xs[series.xs][i], y = i < 0 ? null : series.ys[i];
        var px = x === null ? NaN : place(data.x, x), py = y === null ? NaN : place(data.y, y);
        dots[k].setAttribute("visibility", isFinite(px) && isFinite(py) ? "inherit" : "hidden");
        if (!isFinite(px) || !isFinite(py)) return;
        dots[k].setAttribute("cx", px);
        dots[k].setAttribute("cy", py);
        if (here === null || Math.abs(px - at) < Math.abs(here.px - at)) here = { px: px, x: x };
        rows.push({ series: series, y: y, low: series.low && series.low[i], high: series.high && series.high[i] });
      });
      if (here === null) return hide();
      cross.setAttribute("d", "M" + here.px + " " + plot[1] + "V" + plot[3]);
      marks.setAttribute("visibility", "visible");
      rows.sort(function (a, b) { return b.y - a.y; });
      fill(here, rows);
      step = nearest(data.x, walk, here.px);
      target.setAttribute("aria-valuenow", here.x);
      target.setAttribute("aria-valuetext", tooltip().textContent);
    }

    function fill(here, rows) {
      var tip = tooltip();
      tip.textContent = "";
      var head = document.createElement("div");
      head.style.color = "var(--gb-muted,#5c636b)";
      head.textContent = (data.x.label || "x") + " = " + written(here.x) + " ";
      tip.appendChild(head);
      var table = document.createElement("div");
      table.style.cssText = "display:grid;grid-template-columns:auto auto auto;column-gap:.7em";
      rows.forEach(function (row) {
        var name = document.createElement("span");
        var dot = document.createElement("span");
        dot.style.cssText = "display:inline-block;width:.7em;height:.7em;border-radius:50%;margin-right:.45em";
        dot.style.background = color(row.series.color);
        name.appendChild(dot);
        // Names come from users: text, never markup.
        name.appendChild(document.createTextNode(row.series.name + " "));
        var value = document.createElement("span");
        value.style.cssText = "text-align:right;font-variant-numeric:tabular-nums";
        value.textContent = written(row.y) + " ";
        var band = document.createElement("span");
        band.style.color = "var(--gb-muted,#5c636b)";
        if (row.low !== undefined && row.low !== null && row.high !== undefined) {
          band.textContent = written(row.low) + " to " + written(row.high) + " ";
        }
        [name, value, band].forEach(function (cell) { table.appendChild(cell); });
      });
      tip.appendChild(table);
      tip.style.display = "block";
      var matrix = svg.getScreenCTM();
      if (!matrix) return;
      var x = matrix.a * here.px + matrix.e, y = matrix.d * plot[1] + matrix.f;
      var size = tip.getBoundingClientRect(), room = document.documentElement.clientWidth;
      var left = x + 14 + size.width < room ? x + 14 : x - 14 - size.width;
      tip.style.left = Math.max(4, Math.min(left, room - size.width - 4)) + "px";
      tip.style.top = Math.max(4, Math.min(y, window.innerHeight - size.height - 4)) + "px";
    }

    function follow(event) {
      var matrix = svg.getScreenCTM();
      if (matrix) show((event.clientX - matrix.e) / matrix.a);
    }

    target.addEventListener("pointermove", follow);
    target.addEventListener("pointerdown", follow);
    target.addEventListener("pointerleave", function () { if (document.activeElement !== target) hide(); });
    target.addEventListener("focus", function () { show(place(data.x, walk[step])); });
    target.addEventListener("blur", hide);
    target.addEventListener("keydown", function (event) {
      var moves = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: walk.length - 1 };
      if (event.key === "Escape") return hide();
      if (!(event.key in moves)) return;
      event.preventDefault();
      step = Math.max(0, Math.min(walk.length - 1, moves[event.key]));
      show(place(data.x, walk[step]));
    });
  }

  function start() {
    Array.prototype.forEach.call(document.querySelectorAll("svg [data-hover]"), attach);
  }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
