/** Snookie's nose from above, forward up: the voltages of its sensors and their population vector. */
import type { FlowSensors, ReflexState } from "../../messages";
import { arrow, board, font, ink, type Sense } from "./common";
import { degrees, show } from "../../series";

/** `angles`: rad from ahead, positive to starboard; default: evenly spaced. `reflex`: the topic of the reflex, or none. */
export function nose(title: string, angles: number[], reflex: string | undefined): Sense<FlowSensors | ReflexState> {
  const { element, canvas, pen } = board(title, 210);
  let m: FlowSensors | null = null,
    feel: ReflexState | null = null,
    rest: number[] = [];
  const swings = (volts: number[]): number[] =>
    feel?.filtered_voltages?.length === volts.length ? [...feel.filtered_voltages] : volts.map((v, i) => v - rest[i]);
  return {
    element,
    topics: reflex ? [reflex] : [],
    take(message, _time, topic) {
      if (topic === reflex) return void (feel = message as ReflexState);
      m = message as FlowSensors;
      const v = [...m.voltages];
      if (rest.length !== v.length) rest = v;
      rest = rest.map((r, i) => r + 0.002 * (v[i] - r));
    },
    draw() {
      const c = pen(),
        w = canvas.clientWidth,
        x = w / 2,
        y = 112,
        r = 52;
      if (!m) return;
      const volts = [...m.voltages],
        n = volts.length,
        swing = swings(volts),
        most = Math.max(1e-3, ...swing.map(Math.abs));
      const at = (i: number) => (angles.length === n ? angles[i] : (2 * Math.PI * i) / n);
      c.font = font;
      c.fillStyle = "#10202b";
      c.strokeStyle = ink.line;
      c.lineWidth = 1.5;
      c.beginPath(); // the front hemisphere and the body aft of it
      c.arc(x, y, r, Math.PI, 2 * Math.PI);
      c.lineTo(x + r, y + 78);
      c.lineTo(x - r, y + 78);
      c.closePath();
      c.fill();
      c.stroke();
      let ex = 0,
        ey = 0;
      volts.forEach((u, i) => {
        const a = at(i),
          sx = Math.sin(a),
          sy = -Math.cos(a),
          d = swing[i] / most,
          l = 3 + 26 * Math.abs(d);
        ex += swing[i] * Math.cos(a);
        ey += swing[i] * Math.sin(a);
        c.strokeStyle = d > 0 ? ink.warm : ink.accent;
        c.lineWidth = 4;
        c.beginPath();
        c.moveTo(x + r * sx, y + r * sy);
        c.lineTo(x + (r + l) * sx, y + (r + l) * sy);
        c.stroke();
        c.fillStyle = ink.bright;
        const row = y - 62 + 24 * (i % Math.ceil(n / 2)); // labels in two columns, port and starboard
        c.textAlign = sx > 0 ? "right" : "left";
        if (angles.length === n)
          c.fillText(`${+(a * degrees).toFixed(1)}°  ${u.toFixed(4)} V`.replace("-", "−"), sx > 0 ? w - 8 : 8, row + 3);
        else c.fillText(u.toFixed(3), x + (r + 40) * sx, y + (r + 40) * sy);
      });
      const estimate = feel?.distance_estimate,
        ahead = estimate ? estimate[0] : ex,
        right = estimate ? -estimate[1] : ey,
        size = Math.hypot(ahead, right);
      if (size > 1e-9) {
        c.strokeStyle = "#fff";
        c.lineWidth = 2;
        arrow(c, x, y, (42 * right) / size, (-42 * ahead) / size);
      }
      c.fillStyle = ink.quiet;
      c.textAlign = "left";
      c.fillText("ahead ↑", 8, 14);
      c.fillText(`largest change ${show(1000 * most, "mV")}`, 8, 203);
      c.textAlign = "right";
      c.fillStyle = "#fff";
      c.fillText(
        size > 1e-9 ? `population vector ${(Math.atan2(right, ahead) * degrees).toFixed(0)}°`.replace("-", "−") : "",
        w - 8,
        14,
      );
      if (feel?.state_name) c.fillText(feel.state_name, w - 8, 203);
    },
  };
}
