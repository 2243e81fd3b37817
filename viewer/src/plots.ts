/** Plots over time, with one cursor for all of them. */
import uPlot from "uplot";
import { show, type Series } from "./series";

const sync = uPlot.sync("time");
const style = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export class Plot {
  readonly element = document.createElement("div");
  private plot: uPlot;
  private value = document.createElement("b");
  span = 60; // s that are shown

  constructor(readonly title: string, readonly unit: string, readonly series: { label: string; colour: string; data: Series; dashed?: boolean }[], height = 92, onClose?: () => void) {
    this.element.className = "plot";
    const cap = document.createElement("div"), name = document.createElement("span"), right = document.createElement("span");
    cap.className = "cap";
    name.textContent = unit ? `${title} (${unit})` : title;
    right.append(this.value);
    if (onClose) {
      const close = document.createElement("button");
      close.textContent = "×";
      close.setAttribute("aria-label", `Close plot ${title}`);
      close.onclick = onClose;
      right.append(close);
    }
    cap.append(name, right);
    this.element.append(cap);
    const axis = { stroke: () => style("--quiet"), grid: { stroke: () => style("--line"), width: 1 }, ticks: { show: false }, font: "10px system-ui" };
    this.plot = new uPlot(
      {
        width: 320, height, legend: { show: false },
        cursor: { sync: { key: sync.key }, points: { size: 5 } },
        scales: {
          x: { time: false },
          y: {
            dir: title === "depth" ? -1 : 1, // depth goes down
            range: (_u, low, high) => {
              if (low === null || high === null) return [0, 1];
              const pad = Math.max(0.08 * (high - low), 0.01 * Math.max(Math.abs(low), Math.abs(high)), 1e-3);
              return [low - pad, high + pad];
            },
          },
        },
        axes: [{ ...axis, size: 18, values: (_u, v) => v.map((t) => `${t}`) }, { ...axis, size: 42, values: (_u, v) => v.map((y) => String(+y.toPrecision(4)).replace("-", "−")) }],
        series: [{}, ...series.map((s) => ({ label: s.label, stroke: s.colour, width: 1.5, dash: s.dashed ? [4, 4] : undefined, points: { show: false } }))],
      },
      this.data(),
      this.element,
    );
  }

  private data(): uPlot.AlignedData {
    const tables = this.series.map((s) => {
      const end = s.data.times[s.data.times.length - 1] ?? 0;
      let first = 0;
      while (first < s.data.times.length && s.data.times[first] < end - this.span) first++;
      return [s.data.times.slice(first), s.data.values.slice(first)] as uPlot.AlignedData;
    });
    const filled = tables.filter((t) => t[0].length);
    return tables.length === 1 ? tables[0] : filled.length === tables.length ? uPlot.join(tables) : ([tables[0][0], tables[0][1], ...tables.slice(1).map(() => Array.from(tables[0][0], () => null))] as unknown as uPlot.AlignedData);
  }

  update(width: number): void {
    if (Math.abs(this.plot.width - width) > 1 && width > 50) this.plot.setSize({ width, height: this.plot.height });
    this.plot.setData(this.data());
    this.value.textContent = show(this.series[0].data.last, this.unit);
  }

  /** The plotted numbers, for a file. */
  table(): string {
    const head = ["time (s)", ...this.series.map((s) => `${this.title} ${s.label} (${this.unit})`)].join(",");
    const rows = this.series[0].data.times.map((t, i) => [t, ...this.series.map((s) => s.data.values[i] ?? "")].join(","));
    return [head, ...rows].join("\n") + "\n";
  }

  dispose(): void {
    this.plot.destroy();
    this.element.remove();
  }
}
