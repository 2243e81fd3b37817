/** A track in the three coordinate planes: from above, from the south and from the west. */
import { sharp } from "../dom";
import type { Vehicle } from "../fleet";
import { font, ink } from "./senses/common";

const height = 150;
const axes = ["E", "N", "up"];

/** The smallest of 1, 2, 5 · 10ⁿ that is at least x. */
function round(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x)),
    m = x / power;
  return power * (m <= 1 ? 1 : m <= 2 ? 2 : m <= 5 ? 5 : 10);
}

/** `route`: waypoints (north, east, down), `depth`: demanded depth (m; NaN: none), `other`: segments of another track, in a colour. */
export function drawPlanes(
  canvas: HTMLCanvasElement,
  v: Vehicle,
  route: [number, number, number][],
  depth: number,
  other: number[] = [],
  otherColour = "",
): void {
  const c = sharp(canvas, height),
    w = canvas.clientWidth,
    size = w / 3;
  const goals = route.map(([n, e, d]) => [e, n, -d]);
  c.font = font;
  [
    [0, 1],
    [0, 2],
    [1, 2],
  ].forEach(([a, b], k) => {
    const low = [Infinity, Infinity],
      high = [-Infinity, -Infinity];
    const reach = (p: ArrayLike<number>, i: number) =>
      [a, b].forEach(
        (axis, side) => (
          (low[side] = Math.min(low[side], p[i + axis])),
          (high[side] = Math.max(high[side], p[i + axis]))
        ),
      );
    for (let i = 0; i < v.trackCount; i++) reach(v.track, 3 * i);
    reach(v.now.p, 0);
    for (let i = 0; i < other.length; i += 3) reach(other, i);
    for (const goal of goals) reach(goal, 0);
    if (b === 2 && Number.isFinite(depth)) ((low[1] = Math.min(low[1], -depth)), (high[1] = Math.max(high[1], -depth)));
    const room = size - 18,
      tall = height - 44,
      span = round(Math.max((high[0] - low[0]) / room, (high[1] - low[1]) / tall, 0.01) * 24); // m of the scale bar
    const scale = Math.min(room / Math.max(high[0] - low[0], 0.5), tall / Math.max(high[1] - low[1], 0.5));
    const x = (q: number) => size * k + size / 2 + scale * (q - (low[0] + high[0]) / 2),
      y = (q: number) => 22 + tall / 2 - scale * (q - (low[1] + high[1]) / 2);
    c.save();
    c.beginPath();
    c.rect(size * k, 0, size, height);
    c.clip();
    if (k) {
      c.fillStyle = ink.line;
      c.fillRect(size * k, 8, 1, height - 16);
    }
    c.strokeStyle = c.fillStyle = ink.quiet;
    c.setLineDash([4, 3]);
    c.beginPath(); // waypoints and demanded depth
    if (b === 2 && Number.isFinite(depth)) {
      c.moveTo(size * k + 6, y(-depth));
      c.lineTo(size * (k + 1) - 6, y(-depth));
    }
    goals.forEach((goal, i) => (i ? c.lineTo(x(goal[a]), y(goal[b])) : c.moveTo(x(goal[a]), y(goal[b]))));
    c.stroke();
    c.setLineDash([]);
    for (const goal of goals) c.strokeRect(x(goal[a]) - 2.5, y(goal[b]) - 2.5, 5, 5);
    c.lineWidth = 1.5;
    if (other.length) {
      c.strokeStyle = otherColour;
      c.beginPath();
      for (let i = 0; i < other.length; i += 6) {
        c.moveTo(x(other[i + a]), y(other[i + b]));
        c.lineTo(x(other[i + 3 + a]), y(other[i + 3 + b]));
      }
      c.stroke();
    }
    c.strokeStyle = v.colour;
    c.beginPath();
    const first = v.trackCount < v.track.length / 3 ? 0 : v.trackNext;
    for (let n = 0; n < v.trackCount; n++) {
      const i = (first + n) % (v.track.length / 3);
      c.lineTo(x(v.track[3 * i + a]), y(v.track[3 * i + b]));
    }
    c.stroke();
    c.lineWidth = 1;
    c.fillStyle = "#fff";
    c.beginPath();
    c.arc(x(v.now.p[a]), y(v.now.p[b]), 3, 0, 7);
    c.fill();
    c.fillStyle = ink.quiet;
    c.textAlign = "left";
    c.fillText(`${axes[b]} ↑  ${axes[a]} →`, size * k + 7, 14);
    c.fillRect(size * k + 8, height - 18, span * scale, 2);
    c.fillText(`${+span.toPrecision(1)} m`, size * k + 8, height - 5);
    c.restore();
  });
}
