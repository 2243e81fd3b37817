/** Ranges: one over time, many over bearing, images of a sonar. */
import { SonarImageData, type LaserScan, type ProjectedSonarImage, type Range } from "../../messages";
import { board, font, ink, type Sense } from "./common";
import { Series, show } from "../../series";

/** One range over the last 30 s. */
export function range(title: string): Sense<Range> {
  const { element, canvas, pen } = board(title, 52);
  const series = new Series(900);
  let most = 1;
  return {
    element,
    take(m, time) {
      most = m.max_range || most;
      series.add(time, Number.isFinite(m.range) && m.range < m.max_range ? m.range : NaN);
    },
    draw() {
      const c = pen(),
        w = canvas.clientWidth,
        end = series.times.at(-1) ?? 0,
        y = (v: number) => 46 - 38 * Math.min(1, v / most);
      c.font = font;
      c.fillStyle = ink.quiet;
      c.fillText(`0 … ${+most.toPrecision(3)} m, 30 s`, 6, 12);
      c.fillStyle = ink.accent;
      series.values.forEach((v, i) => {
        const x = w - 6 - ((end - series.times[i]) / 30) * (w - 12);
        if (x > 4 && Number.isFinite(v)) c.fillRect(x, y(v), 2, 2);
      });
      c.fillStyle = ink.bright;
      c.font = "600 12px system-ui";
      c.textAlign = "right";
      c.fillText(Number.isFinite(series.last) ? show(series.last, "m") : "nothing in range", w - 6, 14);
      c.textAlign = "left";
    },
  };
}

interface Sector {
  c: CanvasRenderingContext2D;
  x: number;
  y: number;
  scale: number; // pixels per metre
}

/** Rings and spokes of the sector from `low` to `high` (rad, positive to port), forward up. */
function sector(c: CanvasRenderingContext2D, w: number, h: number, low: number, high: number, most: number): Sector {
  const aft = Math.min(Math.cos(low), Math.cos(high), 0),
    side =
      Math.abs(low) > Math.PI / 2 || Math.abs(high) > Math.PI / 2
        ? 1
        : Math.max(Math.abs(Math.sin(low)), Math.abs(Math.sin(high)), 0.25);
  const radius = Math.max(1, Math.min((h - 26) / (1 - aft), (w / 2 - 26) / side)), // a hidden panel is narrow
    x = w / 2,
    y = 16 + radius,
    scale = radius / (most || 1);
  c.strokeStyle = ink.line;
  c.fillStyle = ink.quiet;
  c.font = font;
  c.textAlign = "center";
  for (let k = 1; k <= 4; k++) {
    c.beginPath();
    c.arc(x, y, (radius * k) / 4, -Math.PI / 2 - high, -Math.PI / 2 - low);
    c.stroke();
    c.fillText(`${+((most * k) / 4).toPrecision(2)} m`, x, y - (radius * k) / 4 - 2);
  }
  const step = high - low > 2.2 ? Math.PI / 4 : high - low > 0.7 ? Math.PI / 12 : Math.PI / 36;
  for (let a = Math.ceil(low / step - 1e-6) * step; a <= high + 1e-6; a += step) {
    c.beginPath();
    c.moveTo(x, y);
    c.lineTo(x - radius * Math.sin(a), y - radius * Math.cos(a));
    c.stroke();
    if (Math.abs(a) > 0.01 && Math.abs(a) < 3.1)
      c.fillText(
        `${Math.round((-a * 180) / Math.PI)}°`.replace("-", "−"),
        x - (radius + 12) * Math.sin(a),
        y - (radius + 8) * Math.cos(a) + 3,
      );
  }
  return { c, x, y, scale };
}

const heat = (v: number) => [255 * Math.min(1, 1.7 * v), 235 * v ** 1.3, 40 + 160 * v ** 3];

/** A scan: dots at range and bearing. */
export function scan(title: string): Sense<LaserScan> {
  const { element, canvas, pen } = board(title, 210);
  let m: LaserScan | null = null;
  return {
    element,
    take: (message) => void (m = message),
    draw() {
      const clean = pen(),
        now = m;
      if (!now) return;
      const { c, x, y, scale } = sector(
        clean,
        canvas.clientWidth,
        210,
        Math.min(now.angle_min, now.angle_max),
        Math.max(now.angle_min, now.angle_max),
        now.range_max,
      );
      let seen = 0;
      now.ranges.forEach((r, i) => {
        if (!(r > 0 && r < now.range_max)) return;
        const a = now.angle_min + i * now.angle_increment;
        c.fillStyle = `hsl(${50 + 150 * (r / now.range_max)} 95% 62%)`;
        c.fillRect(x - r * scale * Math.sin(a) - 2, y - r * scale * Math.cos(a) - 2, 4, 4);
        seen++;
      });
      c.fillStyle = ink.bright;
      c.textAlign = "left";
      c.fillText(`${seen} of ${now.ranges.length} beams return an echo`, 8, 202);
    },
  };
}

/** A sonar image over range and bearing. */
export function sonarImage(title: string): Sense<ProjectedSonarImage> {
  const { element, canvas, pen } = board(title, 230);
  let m: ProjectedSonarImage | null = null;
  return {
    element,
    take: (message) => void (m = message),
    draw() {
      const pen_ = pen();
      if (!m?.beam_directions.length) return;
      const beams = m.beam_directions.length,
        bins = m.ranges.length,
        most = m.ranges[bins - 1],
        upright = m.beam_directions.every((d) => Math.abs(d.y) < 1e-6); // a fan in the vertical plane: its left is up
      const bearings = m.beam_directions.map((d) => Math.atan2(upright ? d.z : d.y, d.x));
      const low = Math.min(...bearings),
        high = Math.max(...bearings),
        half = beams > 1 ? (high - low) / (beams - 1) / 2 : 0.02;
      const { c, x, y, scale } = sector(pen_, canvas.clientWidth, 230, low - half, high + half, most);
      const raw = m.image.data,
        levels = m.image.dtype === SonarImageData.DTYPE_FLOAT32,
        values = levels ? new Float32Array(raw.slice().buffer) : raw;
      let top = 1e-12;
      for (const v of values) top = Math.max(top, v);
      const floor = levels ? Math.max(0, top - 60) : 0; // levels in dB show their upper 60 dB
      for (let i = 0; i < beams; i++)
        for (let j = 0; j < bins; j++) {
          const v = (values[j * beams + i] - floor) / (top - floor);
          if (!(v > 0.05)) continue;
          const [r, g, b] = heat(v),
            from = j ? (m.ranges[j - 1] + m.ranges[j]) / 2 : 0,
            to = j + 1 < bins ? (m.ranges[j + 1] + m.ranges[j]) / 2 : m.ranges[j];
          c.strokeStyle = `rgb(${r} ${g} ${b})`;
          c.lineWidth = Math.max(1, (to - from) * scale + 0.5);
          c.beginPath();
          c.arc(x, y, ((from + to) / 2) * scale, -Math.PI / 2 - bearings[i] - half, -Math.PI / 2 - bearings[i] + half);
          c.stroke();
        }
      c.lineWidth = 1;
      c.fillStyle = ink.bright;
      c.textAlign = "left";
      c.fillText(`${beams} beams × ${bins} ranges${upright ? ", in the vertical plane" : ""}`, 8, 222);
      if (upright) c.fillText("← up", 8, 14);
      m = null;
    },
  };
}
