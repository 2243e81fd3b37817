/** Shared parts of the instrument drawings. */
import { make, sharp } from "../../dom";

/** A drawing for messages of one type. */
export interface Sense<M = unknown> {
  element: HTMLElement;
  /** other topics that it needs */
  topics?: string[];
  take(message: M, time: number, topic: string): void;
  /** a few times per second */
  draw(): void;
}

/** Colours on the dark background of an instrument, in both themes. */
export const ink = {
  quiet: "#7f98a8",
  line: "#28414f",
  bright: "#dff1fb",
  accent: "#4cc3ff",
  warm: "#ffb000",
  good: "#6ee7b7",
  bad: "#ff5a4d",
  sound: "#c7a4ff",
};
export const font = "10px system-ui, sans-serif";

export interface Board {
  element: HTMLElement;
  canvas: HTMLCanvasElement;
  /** clears the canvas; its width is canvas.clientWidth */
  pen: () => CanvasRenderingContext2D;
}

export function board(title: string, height: number): Board {
  const canvas = make("canvas", { class: "inset", role: "img", "aria-label": title });
  const element = make("section", {}, make("h2", {}, title), canvas);
  return { element, canvas, pen: () => sharp(canvas, height) };
}

export function arrow(c: CanvasRenderingContext2D, x: number, y: number, dx: number, dy: number, head = 6): void {
  const l = Math.hypot(dx, dy);
  if (l < 1e-6) return;
  const ux = dx / l,
    uy = dy / l;
  c.beginPath();
  c.moveTo(x, y);
  c.lineTo(x + dx, y + dy);
  c.moveTo(x + dx - head * (ux + 0.5 * uy), y + dy - head * (uy - 0.5 * ux));
  c.lineTo(x + dx, y + dy);
  c.lineTo(x + dx - head * (ux - 0.5 * uy), y + dy - head * (uy + 0.5 * ux));
  c.stroke();
}
