/** Runs first: bars, lists and panels are painted from the HTML, then the rest is loaded, with the sea. */
import "uplot/dist/uPlot.min.css";
import "./style.css";
import type { Link } from "./link";

declare global {
  interface Window {
    fathom: {
      state(): object;
      parameter(path: string): unknown;
      parameters?(): string[];
      clock?(seconds: number): string;
      look?(eye: [number, number, number], target: [number, number, number]): void;
      link?: Link;
      measure?(frames: number): object;
    };
  }
}
window.fathom = {
  state: () => ({ time: 0, speed: 1, connected: false, vehicles: [], fps: 0 }),
  parameter: () => undefined,
};

const theme = new URLSearchParams(location.hash.slice(1)).get("theme");
document.documentElement.dataset.theme =
  theme ?? (matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark");

/** The code of the sea is loaded after the first paint; a hidden page is never painted and does not wait for it. */
const go = () => void import("./main");
new PerformanceObserver((_, observer) => (observer.disconnect(), go())).observe({ type: "paint", buffered: true });
setTimeout(go, 3000);
