/** Resolution of the picture. "auto" lowers it while frames are slow and raises it again when they are fast. */
export type Picture = "auto" | "full" | "fast";

export interface Step {
  pixels: number; // relative to the screen's pixels, along a side
  near: number; // vehicles with all their parts
  middle: number; // coarse ones; the others are specks
  waves: number; // components of the surface
}

const steps: Step[] = [
  { pixels: 1, near: 24, middle: 200, waves: 400 },
  { pixels: 0.75, near: 12, middle: 80, waves: 160 },
  { pixels: 0.5, near: 6, middle: 40, waves: 64 },
  { pixels: 0.35, near: 4, middle: 24, waves: 40 },
];
const slow = 50,
  quick = 20; // ms per frame

/** Whether the page is rendered in software: no graphics card, or none that the browser may use. */
export function isSoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2"),
    info = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = gl ? String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

export class Pace {
  wish: Picture = "auto";
  onStep: () => void = () => {};
  /** recent frame time, ms */
  frame = 0;
  private at = 0;
  private held = false;
  private first = 0;
  private count = 0;
  private worst = 0; // the step that was recently too slow
  private worstAt = -1e9;

  get step(): Step {
    return steps[this.held || this.wish === "full" ? 0 : this.wish === "fast" ? 2 : this.at];
  }

  set(wish: Picture): void {
    this.wish = wish;
    this.at = this.wish === "auto" ? this.at : 0;
    this.again();
    this.onStep();
  }

  /** Videos and screenshots are drawn at full resolution. */
  hold(held: boolean): void {
    this.held = held;
    this.again();
    this.onStep();
  }

  /** Ignores time not spent on drawing: a hidden page, a measurement. */
  again(): void {
    this.count = 0;
  }

  /** Once per frame. */
  judge(now: number): void {
    if (!this.count++) this.first = now;
    const frames = this.count - 1,
      time = now - this.first,
      mean = time / Math.max(1, frames);
    if (frames < 5 || time < 1000) return;
    this.frame = mean;
    this.count = 0;
    if (this.wish !== "auto" || this.held) return;
    if (mean > slow && this.at < steps.length - 1) {
      this.worst = this.at;
      this.worstAt = now;
      this.at++;
    } else if (mean < quick && this.at > 0 && (this.at - 1 !== this.worst || now - this.worstAt > 30000)) this.at--;
    else return;
    this.onStep();
  }
}
