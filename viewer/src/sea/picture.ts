/** How finely the sea is drawn. On "auto" it is coarser while frames take long, and finer again when there is time. */
export type Picture = "auto" | "full" | "fast";

export interface Step {
  pixels: number; // of the screen's own, along a side
  near: number; // vehicles with all their parts
  middle: number; // coarser ones; the others are specks
  waves: number; // components of the surface
}

const steps: Step[] = [
  { pixels: 1, near: 24, middle: 200, waves: 400 },
  { pixels: 0.75, near: 12, middle: 80, waves: 160 },
  { pixels: 0.5, near: 6, middle: 40, waves: 64 },
  { pixels: 0.35, near: 4, middle: 24, waves: 40 },
];
const slow = 50,
  quick = 20; // ms a frame

/** Whether the page's pictures are made by the processor: no graphics card, or none that the browser may use. */
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
  /** ms a frame, of late */
  frame = 0;
  private at = 0;
  private held = false;
  private first = 0;
  private count = 0;
  private worst = 0; // the step that was too fine not long ago
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

  /** What is kept, a film or a still, is drawn in full. */
  hold(held: boolean): void {
    this.held = held;
    this.again();
    this.onStep();
  }

  /** Time that was not for drawing: a hidden page, a measurement. */
  again(): void {
    this.count = 0;
  }

  /** Once a frame. */
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
