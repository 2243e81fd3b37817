/** The timeline: events and position of a recording, or the last minutes of a run. */
import { sharp } from "./dom";
import type { Mark } from "./protocol";

const colours: [RegExp, string][] = [
  [/contact|touch|collision/, "#ff5a4d"],
  [/ping|sound|heard|message/, "#c7a4ff"],
  [/waypoint|reached|dock/, "#6ee7b7"],
  [/fault|fail|lost|passed|energy/, "#ffb000"],
];
export const colourOfKind = (kind: string) => colours.find(([p]) => p.test(kind))?.[1] ?? "#6fb7d8";

export class Timeline {
  marks: Mark[] = [];
  now = 0;
  start = 0;
  end = 0; // equal to start: live
  onSeek: (time: number) => void = () => {};
  /** a moment of a live run was marked; null: none any longer */
  onMark: (time: number | null) => void = () => {};
  marked: number | null = null; // s
  private hover = -1;

  constructor(private canvas: HTMLCanvasElement) {
    const at = (e: PointerEvent) => this.timeAt(e.clientX - canvas.getBoundingClientRect().left);
    let dragging = false;
    canvas.addEventListener("pointerdown", (e) => {
      if (!this.recording) return this.mark(at(e));
      dragging = true;
      canvas.setPointerCapture(e.pointerId);
      this.onSeek(at(e));
    });
    canvas.addEventListener("pointermove", (e) => {
      this.hover = e.clientX - canvas.getBoundingClientRect().left;
      if (dragging) this.onSeek(at(e));
    });
    canvas.addEventListener("pointerup", () => (dragging = false));
    canvas.addEventListener("pointerleave", () => (this.hover = -1));
    canvas.addEventListener("keydown", (e) => {
      if (!this.recording && e.key === "Escape") this.mark(null);
      if (!this.recording || !["ArrowLeft", "ArrowRight", "Home", "End"].includes(e.key)) return;
      const step = (this.end - this.start) / 100;
      this.onSeek(
        e.key === "Home" ? this.start : e.key === "End" ? this.end : this.now + (e.key === "ArrowLeft" ? -step : step),
      );
      e.preventDefault();
    });
  }

  get recording(): boolean {
    return this.end > this.start;
  }

  /** Marks a moment that has passed; the same one again, or one that is not over, marks none. */
  private mark(time: number | null): void {
    const again = time !== null && this.marked !== null && Math.abs(time - this.marked) < 0.5;
    this.marked = time === null || again || time >= this.now ? null : time;
    this.onMark(this.marked);
  }

  private get range(): [number, number] {
    if (this.recording) return [this.start, this.end];
    const end = Math.max(60, this.now);
    return [Math.max(0, end - 180), end];
  }

  private timeAt(x: number): number {
    const [a, b] = this.range;
    return a + ((b - a) * Math.min(Math.max(x - 8, 0), this.canvas.clientWidth - 16)) / (this.canvas.clientWidth - 16);
  }

  /** Sets all marks of a recording. */
  set(marks: Mark[]): void {
    this.marks = marks.sort((a, b) => a.time - b.time);
  }

  add(mark: Mark): void {
    this.marks.push(mark);
    if (this.marks.length > 5000) this.marks.splice(0, 1000);
  }

  /** The newest event up to now that is not a ping. */
  private latest(): Mark | undefined {
    return this.marks.findLast((m) => m.kind !== "ping" && m.time <= this.now + 1e-6);
  }

  draw(): void {
    const c = sharp(this.canvas, 57),
      w = this.canvas.clientWidth,
      [a, b] = this.range;
    const css = getComputedStyle(document.documentElement),
      x = (t: number) => 8 + ((w - 16) * (t - a)) / (b - a || 1);
    const quiet = css.getPropertyValue("--quiet"),
      accent = css.getPropertyValue("--accent"),
      line = css.getPropertyValue("--line");
    c.fillStyle = line;
    c.fillRect(8, 27, w - 16, 4);
    c.fillStyle = accent;
    c.fillRect(8, 27, Math.max(0, Math.min(w - 16, x(this.now) - 8)), 4);
    c.font = "10px system-ui";
    c.fillStyle = quiet;
    const raw = (b - a) / 8,
      power = 10 ** Math.floor(Math.log10(raw || 1)),
      step = power * (raw / power > 5 ? 10 : raw / power > 2 ? 5 : raw / power > 1 ? 2 : 1);
    c.textAlign = "center";
    for (let t = Math.ceil(a / step) * step; t <= b; t += step)
      c.fillText(`${+t.toFixed(3)} s`, Math.min(w - 18, Math.max(18, x(t))), 51);
    let near: Mark | null = null,
      least = 6;
    for (const m of this.marks) {
      if (m.time < a || m.time > b) continue;
      const p = x(m.time);
      c.fillStyle = colourOfKind(m.kind);
      if (m.kind === "ping") c.fillRect(p - 0.5, m.second ? 33 : 20, 1, 5);
      else c.fillRect(p - 1, m.second ? 33 : 14, 2, m.second ? 8 : 11);
      if (this.hover >= 0 && Math.abs(p - this.hover) < least) [near, least] = [m, Math.abs(p - this.hover)];
    }
    if (this.marked !== null && this.marked > this.now) this.mark(null); // after a reset
    if (this.marked !== null && this.marked >= a) {
      c.fillStyle = css.getPropertyValue("--text");
      c.fillRect(x(this.marked) - 1, 12, 2, 34);
    }
    c.fillStyle = accent;
    c.beginPath();
    c.arc(Math.min(w - 8, x(this.now)), 29, 6, 0, 7);
    c.fill();
    c.textAlign = "left";
    c.fillStyle = css.getPropertyValue("--text");
    const last = near ?? (this.hover >= 0 ? null : this.latest());
    if (last)
      c.fillText(
        `${last.time.toFixed(2)} s  ${last.vehicle}${last.second ? "′" : ""}: ${last.text || last.kind}`,
        Math.max(8, Math.min(near ? x(last.time) : 8, w - 260)),
        10,
      );
    else if (this.hover >= 0) c.fillText(`${this.timeAt(this.hover).toFixed(2)} s`, this.hover, 10);
    this.canvas.setAttribute("aria-valuemin", a.toFixed(1));
    this.canvas.setAttribute("aria-valuemax", b.toFixed(1));
    this.canvas.setAttribute("aria-valuenow", this.now.toFixed(1));
  }
}
