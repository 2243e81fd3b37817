/** What a vehicle feels, hears and sees: a drawing for each kind of instrument. */
import type { Channel } from "../link";
import { make, sharp } from "../dom";
import { numbersOf, Series, show } from "../series";

export interface Sense {
  element: HTMLElement;
  take(message: any, time: number): void;
  draw(): void;
}

const ink = { quiet: "#7f98a8", bright: "#dff1fb", accent: "#4cc3ff", warm: "#ffb000" };

function box(title: string, height: number): { element: HTMLElement; canvas: HTMLCanvasElement; pen: () => CanvasRenderingContext2D } {
  const canvas = make("canvas", { class: "inset", role: "img", "aria-label": title });
  const element = make("section", {}, make("h2", {}, title), canvas);
  return { element, canvas, pen: () => sharp(canvas, height) };
}

/** Voltages of the sensors around the nose, and the vector that their sum points along. */
function lateralLine(title: string): Sense {
  const { element, canvas, pen } = box(title, 190);
  let m: any = null, rest: number[] = [];
  return {
    element,
    take(message) {
      m = message;
      const v = [...(m.filtered_voltages.length ? m.filtered_voltages : m.voltages)] as number[];
      if (rest.length !== v.length) rest = v;
      rest = rest.map((r, i) => r + 0.002 * (v[i] - r));
    },
    draw() {
      const c = pen(), w = canvas.clientWidth, x = w / 2, y = 95, r = 46;
      if (!m) return;
      const v = [...(m.filtered_voltages.length ? m.filtered_voltages : m.voltages)] as number[], n = v.length;
      const swing = Math.max(0.005, ...v.map((u, i) => Math.abs(u - rest[i])));
      c.strokeStyle = ink.quiet;
      c.beginPath();
      c.arc(x, y, r, 0, 2 * Math.PI);
      c.stroke();
      let ex = 0, ey = 0;
      c.font = "10px system-ui";
      c.textAlign = "center";
      v.forEach((u, i) => {
        const a = -Math.PI / 2 + (2 * Math.PI * i) / n, d = (u - rest[i]) / swing, l = 30 * Math.abs(d) + 2;
        ex += d * Math.cos(a);
        ey += d * Math.sin(a);
        c.strokeStyle = d > 0 ? ink.warm : ink.accent;
        c.lineWidth = 4;
        c.beginPath();
        c.moveTo(x + r * Math.cos(a), y + r * Math.sin(a));
        c.lineTo(x + (r + l) * Math.cos(a), y + (r + l) * Math.sin(a));
        c.stroke();
        c.fillStyle = ink.bright;
        c.fillText(`${m.names[i] ?? i + 1} ${u.toFixed(3)} V`, Math.min(w - 40, Math.max(40, x + 92 * Math.cos(a) * (w > 300 ? 1.2 : 1))), Math.min(184, Math.max(12, y + 88 * Math.sin(a))));
      });
      const size = Math.hypot(ex, ey);
      if (size > 0.05) {
        c.strokeStyle = "#fff";
        c.lineWidth = 2;
        c.beginPath();
        c.moveTo(x, y);
        c.lineTo(x + (34 * ex) / Math.max(size, 1), y + (34 * ey) / Math.max(size, 1));
        c.stroke();
        c.fillStyle = "#fff";
        c.beginPath();
        c.arc(x + (34 * ex) / Math.max(size, 1), y + (34 * ey) / Math.max(size, 1), 3, 0, 7);
        c.fill();
      }
    },
  };
}

/** One range: a bar, and its history. */
function range(title: string): Sense {
  const { element, canvas, pen } = box(title, 46);
  const series = new Series(400);
  let most = 1;
  return {
    element,
    take(m, time) {
      most = m.max_range || most;
      series.add(time, Number.isFinite(m.range) && m.range < m.max_range ? m.range : NaN);
    },
    draw() {
      const c = pen(), w = canvas.clientWidth, n = series.values.length;
      c.strokeStyle = ink.accent;
      c.beginPath();
      series.values.slice(-200).forEach((v, i) => c.lineTo((w * i) / 200, 42 - 36 * Math.min(1, v / most)));
      c.stroke();
      c.fillStyle = ink.bright;
      c.font = "600 12px system-ui";
      c.textAlign = "right";
      c.fillText(n && Number.isFinite(series.last) ? show(series.last, "m") : "nothing in range", w - 6, 14);
    },
  };
}

/** Range over bearing: scans and sonar images, forward up. */
function fan(title: string): Sense {
  const { element, canvas, pen } = box(title, 200);
  let m: any = null;
  return {
    element,
    take(message) {
      m = message;
    },
    draw() {
      const c = pen(), w = canvas.clientWidth, x = w / 2, y = 190;
      if (!m) return;
      const isScan = m.angle_min !== undefined;
      const most = isScan ? m.range_max : (m.ranges[m.ranges.length - 1] ?? 1), scale = 178 / (most || 1);
      c.strokeStyle = ink.quiet;
      c.font = "10px system-ui";
      c.fillStyle = ink.quiet;
      for (let k = 1; k <= 3; k++) {
        c.beginPath();
        c.arc(x, y, (178 * k) / 3, Math.PI, 2 * Math.PI);
        c.stroke();
        c.fillText(`${+((most * k) / 3).toPrecision(3)} m`, x + 3, y - (178 * k) / 3 + 11);
      }
      if (isScan) {
        (m.ranges as Float32Array).forEach((r, i) => {
          if (!(r > 0 && r < m.range_max)) return;
          const a = m.angle_min + i * m.angle_increment;
          c.fillStyle = `hsl(${50 + 150 * (r / most)} 95% 62%)`;
          c.fillRect(x - r * scale * Math.sin(a) - 1.5, y - r * scale * Math.cos(a) - 1.5, 3, 3);
        });
        return;
      }
      const beams = m.beam_directions.length, rows = m.ranges.length, data = m.image.data as Uint8Array, is32 = data.length >= 4 * beams * rows;
      const values = is32 ? new Float32Array(data.buffer.slice(data.byteOffset, data.byteOffset + 4 * beams * rows)) : data;
      let top = 1e-9;
      for (const value of values) top = Math.max(top, value);
      for (let j = 0; j < rows; j++)
        for (let i = 0; i < beams; i++) {
          const v = values[j * beams + i] / top;
          if (v < 0.04) continue;
          const d = m.beam_directions[i], a = Math.atan2(d.y, d.x), r = m.ranges[j];
          c.fillStyle = `hsla(${40 + 20 * v} 100% ${20 + 60 * v}% / ${0.3 + 0.7 * v})`;
          c.fillRect(x - r * scale * Math.sin(a) - 1.5, y - r * scale * Math.cos(a) - 1.5, 3, 3);
        }
    },
  };
}

function image(title: string): Sense {
  const canvas = make("canvas", { class: "inset", role: "img", "aria-label": title });
  const element = make("section", {}, make("h2", {}, title), canvas);
  let m: any = null;
  return {
    element,
    take(message) {
      m = message;
    },
    draw() {
      if (!m) return;
      canvas.width = m.width;
      canvas.height = m.height;
      const step = m.encoding === "mono8" ? 1 : m.encoding.endsWith("a8") ? 4 : 3, swap = m.encoding.startsWith("bgr");
      const out = new ImageData(m.width, m.height);
      for (let j = 0; j < m.height; j++)
        for (let i = 0; i < m.width; i++) {
          const from = j * m.step + i * step, to = 4 * (j * m.width + i);
          for (let k = 0; k < 3; k++) out.data[to + k] = m.data[step === 1 ? from : from + (swap ? 2 - k : k)];
          out.data[to + 3] = 255;
        }
      canvas.getContext("2d")!.putImageData(out, 0, 0);
      m = null;
    },
  };
}

/** Everything else: its numbers. */
function table(title: string, extra: (m: any) => string): Sense {
  const body = make("table", { class: "rows" });
  const element = make("section", {}, make("h2", {}, title), body);
  let m: any = null;
  return {
    element,
    take(message) {
      m = message;
    },
    draw() {
      if (!m) return;
      const rows = numbersOf(m).slice(0, 40), word = extra(m);
      while (body.rows.length > rows.length + (word ? 1 : 0)) body.deleteRow(-1);
      const put = (i: number, name: string, value: string) => {
        const row = body.rows[i] ?? body.insertRow(-1);
        if (!row.cells.length) row.append(make("td"), make("td"));
        if (row.cells[0].textContent !== name) row.cells[0].textContent = name;
        if (row.cells[1].textContent !== value) row.cells[1].textContent = value;
      };
      if (word) put(0, "state", word);
      rows.forEach((r, i) => put(i + (word ? 1 : 0), r.path, show(r.value, r.unit)));
      m = null;
    },
  };
}

export function senseFor(channel: Channel): Sense {
  const title = channel.topic.replace(/^\/[^/]+\//, ""), type = channel.schemaName.replace(/^.*\//, "");
  switch (type) {
    case "FlowSensors": return lateralLine(`${title}: volts around the nose`);
    case "Range": return range(title);
    case "LaserScan":
    case "ProjectedSonarImage": return fan(title);
    case "Image": return image(title);
    default: return table(title, (m) => m.state_name ?? m.behaviour_name ?? "");
  }
}

/** Drawings first, tables after. */
export function isPicture(channel: Channel): boolean {
  return /FlowSensors|Range$|LaserScan|ProjectedSonarImage|\/Image$/.test(channel.schemaName);
}
