/** Camera images, threat over time, servos of a fish, and tables of numbers. */
import { make } from "../../dom";
import type { ActuatorState, Image, JointState, ReflexState, Values } from "../../messages";
import { Plot } from "../../plots";
import { degrees, humanUnit, numbersOf, Series, show } from "../../series";
import { board, font, ink, type Sense } from "./common";

/** `wake`: switches the camera on. */
export function image(title: string, wake: (() => void) | null): Sense<Image> {
  const canvas = make("canvas", { class: "inset picture", role: "img", "aria-label": title });
  const none = make("p", { class: "quiet" }, "no picture yet"),
    element = make("section", {}, make("h2", {}, title), none, canvas);
  let m: Image | null = null;
  canvas.hidden = true;
  if (wake) {
    const on = make("button", { "aria-label": `Switch ${title} on` }, "Switch on");
    on.onclick = () => (wake(), (none.textContent = "switched on; waiting for the first picture"));
    none.replaceChildren("This camera is off. ", on);
  }
  return {
    element,
    take: (message) => void (m = message),
    draw() {
      if (!m) return;
      none.hidden = !(canvas.hidden = false);
      canvas.width = m.width;
      canvas.height = m.height;
      const step = m.encoding === "mono8" ? 1 : m.encoding.endsWith("a8") ? 4 : 3,
        swap = m.encoding.startsWith("bgr");
      const out = new ImageData(m.width, m.height);
      for (let j = 0; j < m.height; j++)
        for (let i = 0; i < m.width; i++) {
          const from = j * m.step + i * step,
            to = 4 * (j * m.width + i);
          for (let k = 0; k < 3; k++) out.data[to + k] = m.data[step === 1 ? from : from + (swap ? 2 - k : k)];
          out.data[to + 3] = 255;
        }
      canvas.getContext("2d")!.putImageData(out, 0, 0);
      m = null;
    },
  };
}

/** Threat over time, with the other outputs of the avoidance. */
export function threat(title: string, colour: string): Sense<Values | ReflexState> {
  const series = new Series(),
    state = make("p", { class: "quiet" });
  const element = make("section", {}, make("h2", {}, title)),
    plot = new Plot("threat", "", [{ label: "threat", colour, data: series }], 110);
  element.append(plot.element, state);
  return {
    element,
    take(m, time) {
      series.add(time, "names" in m ? m.values[m.names.indexOf("threat")] : m.threat);
      const others =
        "names" in m
          ? m.names.map((n, i) => (n === "threat" ? "" : `${n} ${show(m.values[i], m.units[i])}`))
          : [m.state_name];
      state.textContent = others.filter(Boolean).join(" · ");
    },
    draw: () => plot.update(element.clientWidth),
  };
}

/** The servos of a fish: its body from above, their angles over the last beats, and the table. */
export function servos(title: string): Sense<JointState> {
  const { element, canvas, pen } = board(title, 176),
    rows = make("table", { class: "rows", "aria-label": `${title}: angles` });
  element.append(rows);
  let m: JointState | null = null,
    past: { time: number; angles: number[] }[] = [];
  const span = 3; // s
  const hue = (a: number, most: number) => `hsl(${a > 0 ? 42 : 200} 95% ${10 + 52 * Math.min(1, Math.abs(a) / most)}%)`;
  return {
    element,
    take(message, time) {
      m = message;
      if (past.length && time < past[past.length - 1].time) past = [];
      past.push({ time, angles: [...m.position] });
      while (past.length && past[0].time < time - span) past.shift();
    },
    draw() {
      const c = pen(),
        w = canvas.clientWidth;
      if (!m) return;
      const n = m.position.length,
        most = Math.max(0.05, ...past.flatMap((p) => p.angles.map(Math.abs))),
        link = Math.min(28, (w - 90) / (n + 1.5));
      c.strokeStyle = ink.accent;
      c.lineJoin = c.lineCap = "round";
      let x = w / 2 + ((n + 1.5) * link) / 2,
        y = 46,
        a = Math.PI;
      const half = (k: number) => 8 * (1 - (k / (n + 1)) ** 1.5) + 1.5;
      for (let k = 0; k <= n; k++) {
        // head first, to the right; each servo bends what follows
        if (k) a += m.position[k - 1];
        const l = k ? link : 1.5 * link,
          nx = x + l * Math.cos(a),
          ny = y + l * Math.sin(a);
        c.lineWidth = 2 * half(k);
        c.globalAlpha = 0.85;
        c.beginPath();
        c.moveTo(x, y);
        c.lineTo(nx, ny);
        c.stroke();
        [x, y] = [nx, ny];
      }
      c.globalAlpha = 1;
      c.font = font;
      const top = 98,
        high = 72 / n,
        end = past[past.length - 1].time;
      for (let k = 0; k < n; k++) {
        past.forEach((p, i) => {
          const left = 46 + ((p.time - end + span) / span) * (w - 54),
            right = i + 1 < past.length ? 46 + ((past[i + 1].time - end + span) / span) * (w - 54) : left + 3;
          c.fillStyle = hue(p.angles[k], most);
          c.fillRect(left, top + k * high, Math.max(1, right - left + 0.5), high - 2);
        });
        c.fillStyle = ink.quiet;
        if (high >= 11 || k % 2 === 0) c.fillText(m.name[k], 6, top + k * high + high / 2 + 3);
      }
      c.textAlign = "right";
      c.fillText(`last ${span} s, ±${(most * degrees).toFixed(0)}°`, w - 8, 12);
      c.textAlign = "left";
      const table: string[][] = [["servo", "angle", "rate", "reach"]];
      for (let k = 0; k < n; k++) {
        const all = past.map((p) => p.angles[k] * degrees);
        table.push([
          m.name[k],
          `${(m.position[k] * degrees).toFixed(1)}°`,
          `${((m.velocity[k] ?? NaN) * degrees).toFixed(0)}°/s`,
          `${Math.min(...all).toFixed(1)} … ${Math.max(...all).toFixed(1)}°`,
        ]);
      }
      table.forEach((cells, i) => {
        const row = rows.rows[i] ?? rows.insertRow(-1);
        while (row.cells.length < cells.length) row.append(make(i ? "td" : "th", i ? {} : { scope: "col" }));
        cells.forEach((text, k) => (row.cells[k].textContent = text.replaceAll("-", "−")));
      });
    },
  };
}

/** Orders and states of actuators, in the units of scenario files. */
export function actuators(title: string): Sense<ActuatorState> {
  const body = make("table", { class: "rows", "aria-label": title });
  const element = make("section", {}, make("h2", {}, title), body);
  let m: ActuatorState | null = null;
  body.append(make("tr", {}, ...["", "order", "now"].map((t) => make("th", { scope: "col" }, t))));
  return {
    element,
    take: (message) => void (m = message),
    draw() {
      if (!m) return;
      const now = m;
      while (body.rows.length > now.names.length + 1) body.deleteRow(-1);
      now.names.forEach((name, i) => {
        const row = body.rows[i + 1] ?? body.insertRow(-1);
        if (!row.cells.length) row.append(make("td"), make("td"), make("td"));
        [name, ...[now.orders[i], now.values[i]].map((v) => show(...humanUnit(v, now.units[i], true)))].forEach(
          (text, k) => row.cells[k].textContent !== text && (row.cells[k].textContent = text),
        );
      });
      m = null;
    },
  };
}

/** All other messages: a table of their numbers. */
export function table(title: string, extra: (m: object) => string): Sense<object> {
  const body = make("table", { class: "rows", "aria-label": title });
  const element = make("section", {}, make("h2", {}, title), body);
  let m: object | null = null;
  return {
    element,
    take: (message) => void (m = message),
    draw() {
      if (!m) return;
      const rows = numbersOf(m)
          .filter((r) => !Number.isNaN(r.value) && !/^power_supply/.test(r.path))
          .slice(0, 40),
        word = extra(m); // NaN: not known
      while (body.rows.length > rows.length + (word ? 1 : 0)) body.deleteRow(-1);
      const put = (i: number, name: string, value: string) => {
        const row = body.rows[i] ?? body.insertRow(-1);
        if (!row.cells.length) row.append(make("td"), make("td"));
        if (row.cells[0].textContent !== name) row.cells[0].textContent = name;
        if (row.cells[1].textContent !== value) row.cells[1].textContent = value;
      };
      if (word) put(0, "state", word);
      rows.forEach((r, i) => put(i + (word ? 1 : 0), r.path, show(...humanUnit(r.value, r.unit))));
      m = null;
    },
  };
}
