/** The acoustic ladder: who sent when, and who heard it. Time runs down, each station has a vertical line. */
import { Sound } from "../../messages";
import { board, font, ink, type Sense } from "./common";

interface Passage {
  time: number; // s: time sent or heard
  end: number; // s: time of its last bit
  sent: number;
  from: string;
  to: string; // "": an emission
  kind: number;
  event: number;
}

const kinds = ["ping", "query", "reply", "data"],
  colours = [ink.accent, ink.warm, ink.good, ink.sound];
const span = 5; // s shown
const stationsMost = 10;

export function ladder(title: string, self: string, colourOf: (vehicle: string) => string): Sense<Sound> {
  const { element, canvas, pen } = board(title, 260);
  let sounds: Passage[] = [],
    now = 0;
  return {
    element,
    topics: ["/acoustics/receptions"],
    take(m, time, topic) {
      if (time < now - 1) sounds = [];
      now = Math.max(time, now - 1 > time ? 0 : now);
      const heard = topic.endsWith("receptions");
      sounds.push({
        time: m.time,
        end: m.time + m.duration,
        sent: m.sent,
        from: m.source_vehicle || m.vehicle,
        to: heard ? m.vehicle : "",
        kind: m.kind,
        event: m.event,
      });
      now = Math.max(now, m.time);
      while (sounds.length > 2000 || (sounds.length && sounds[0].time < now - 3 * span)) sounds.shift();
    },
    draw() {
      const c = pen(),
        w = canvas.clientWidth,
        top = 30,
        bottom = 236;
      c.font = font;
      if (!sounds.length) {
        c.fillStyle = ink.quiet;
        c.fillText("nothing heard yet", 10, 20);
        return;
      }
      const names = new Set<string>([self]);
      for (const s of sounds) for (const name of [s.from, s.to]) if (name && names.size < stationsMost) names.add(name);
      const stations = [...names],
        gap = (w - 60) / Math.max(1, stations.length - 1),
        x = (name: string) => 38 + gap * stations.indexOf(name),
        y = (t: number) => bottom - ((now - t) / span) * (bottom - top);
      c.textAlign = "center";
      stations.forEach((name, i) => {
        c.strokeStyle = ink.line;
        c.lineWidth = name === self ? 2 : 1;
        c.beginPath();
        c.moveTo(x(name), top);
        c.lineTo(x(name), bottom);
        c.stroke();
        c.fillStyle = colourOf(name);
        c.fillText(name.length > 9 ? `${name.slice(0, 8)}…` : name, x(name), i % 2 && stations.length > 5 ? 22 : 11);
      });
      c.fillStyle = ink.quiet;
      c.textAlign = "left";
      for (let t = Math.ceil(now - span); t <= now; t++) c.fillText(`${t} s`, 4, y(t) + 3);
      for (const s of sounds) {
        if (s.end < now - span || !names.has(s.from) || (s.to && !names.has(s.to))) continue;
        const lost = s.to !== "" && s.event !== Sound.HEARD;
        c.strokeStyle = c.fillStyle = colours[s.kind] ?? ink.bright;
        c.globalAlpha = lost ? 0.35 : s.to === self || s.from === self ? 1 : 0.55;
        c.lineWidth = s.to === self || s.from === self ? 1.6 : 1;
        c.setLineDash(lost ? [3, 3] : []);
        if (s.to) {
          c.beginPath();
          c.moveTo(x(s.from), Math.max(top, y(s.sent)));
          c.lineTo(x(s.to), y(s.time));
          c.stroke();
          c.setLineDash([]);
          c.beginPath();
          c.arc(x(s.to), y(s.time), lost ? 1.5 : 2.5, 0, 7);
          c.fill();
        } else c.fillRect(x(s.from) - 2.5, Math.max(top, y(s.time)), 5, Math.max(2, y(s.end) - y(s.time)));
      }
      c.globalAlpha = 1;
      c.setLineDash([]);
      let left = 8;
      kinds.forEach((name, i) => {
        c.fillStyle = colours[i];
        c.fillRect(left, 246, 10, 3);
        c.fillStyle = ink.quiet;
        c.fillText(name, left + 14, 251);
        left += 22 + c.measureText(name).width + 8;
      });
      c.fillText("dashed: lost", left, 251);
    },
  };
}
