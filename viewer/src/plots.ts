/** Plots over time, with one cursor for all of them. */
import uPlot from "uplot";
import { headingText, shown, type Series } from "./series";

const sync = uPlot.sync("time");
/** The least height of a plot, by unit: noise in the last place does not fill it. */
const leastSpan: Record<string, number> = { "°": 0.5, m: 0.02, "m/s": 0.02 };
const style = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export class Plot {
  readonly element = document.createElement("div");
  private plot: uPlot;
  private value = document.createElement("b");
  span = 60; // s shown

  constructor(
    readonly title: string,
    readonly unit: string,
    readonly series: { label: string; colour: string; data: Series; dashed?: boolean }[],
    height = 140,
    onClose?: () => void,
  ) {
    this.element.className = "plot";
    const cap = document.createElement("div"),
      name = document.createElement("span"),
      right = document.createElement("span");
    cap.className = "cap";
    name.textContent = unit ? `${title} (${unit})` : title;
    if (series.some((s) => s.label === "measured"))
      for (const [text, colour] of [
        ["model", series[0].colour],
        ...series.filter((s) => s.label === "measured").map((s) => [s.label, s.colour]),
      ]) {
        const key = document.createElement("em");
        key.textContent = text;
        key.style.setProperty("--c", colour);
        name.append(key);
      }
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
    const axis = {
      stroke: () => style("--quiet"),
      grid: { stroke: () => style("--line"), width: 1 },
      ticks: { show: false },
      font: "10px system-ui",
    };
    this.plot = new uPlot(
      {
        width: 320,
        height,
        legend: { show: false },
        cursor: { sync: { key: sync.key }, points: { size: 5 } },
        scales: {
          x: { time: false },
          y: {
            dir: title === "depth" ? -1 : 1, // depth goes down
            range: (_u, low, high) => {
              if (low === null || high === null) return [0, 1];
              const pad = Math.max(
                0.08 * (high - low),
                0.01 * Math.max(Math.abs(low), Math.abs(high)),
                (leastSpan[this.unit] ?? 2e-3) / 2,
              );
              return [low - pad, high + pad];
            },
          },
        },
        axes: [
          { ...axis, size: 20, space: 44, values: (_u, v) => v.map((t) => `${t} s`) },
          {
            ...axis,
            size: 46,
            space: 22, // at least three labels
            values: (_u, v) => v.map((y) => this.label(y)),
          },
        ],
        series: [
          {},
          ...series.map((s) => ({
            label: s.label,
            stroke: s.colour,
            width: 1.5,
            dash: s.dashed ? [4, 4] : undefined,
            points: { show: false },
          })),
        ],
      },
      this.data(),
      this.element,
    );
    this.plot.root.setAttribute("role", "img");
    this.plot.root.setAttribute("aria-label", `${title} over time`);
    for (const canvas of this.plot.root.querySelectorAll("canvas")) canvas.setAttribute("aria-hidden", "true");
  }

  private text(value: number): string {
    return this.round ? headingText(value) : shown(value, this.unit);
  }

  private label(y: number): string {
    return String(+(this.round ? ((y % 360) + 360) % 360 : y).toPrecision(4)).replace("-", "−");
  }

  /** Headings continue across north; the axis labels are wrapped. */
  private get round(): boolean {
    return this.unit === "°" && /^yaw|heading/.test(this.title) && !/difference/.test(this.title);
  }

  private data(): uPlot.AlignedData {
    const end = Math.max(0, ...this.series.map((s) => s.data.times.at(-1) ?? 0));
    const tables = this.series.map((s) => {
      let first = s.data.times.length;
      while (first > 0 && s.data.times[first - 1] >= end - this.span) first--;
      return [s.data.times.slice(first), s.data.values.slice(first)] as [number[], number[]];
    });
    if (this.round) tables.forEach((table, i) => unwrap(table, i ? tables[0] : null));
    // uPlot takes null for a gap; a single NaN leaves its axis without a range
    for (const table of tables as uPlot.AlignedData[])
      table[1] = (table[1] as number[]).map((v) => (Number.isFinite(v) ? v : null));
    return tables.length === 1 ? tables[0] : uPlot.join(tables);
  }

  /** Adds a line for another field. */
  add(label: string, colour: string, data: Series): void {
    this.series.push({ label, colour, data });
    this.plot.addSeries({ label, stroke: colour, width: 1.5, points: { show: false } }, this.series.length);
  }

  update(width: number): void {
    if (Math.abs(this.plot.width - width) > 1 && width > 50) this.plot.setSize({ width, height: this.plot.height });
    this.plot.setData(this.data());
    const [data, wanted] = [this.series[0].data, this.series.find((s) => s.dashed)?.data];
    this.value.textContent = data.times.length
      ? this.text(data.last) + (wanted && Number.isFinite(wanted.last) ? ` of ${this.text(wanted.last)} ordered` : "")
      : "waiting for data";
  }

  dispose(): void {
    this.plot.destroy();
    this.element.remove();
  }
}

/** Removes jumps of whole turns (values in degrees): between neighbouring values, or relative to a main line. */
export function unwrap([times, values]: [number[], number[]], main: [number[], number[]] | null): void {
  let by = 0,
    k = 0;
  for (let i = 0; i < values.length; i++) {
    while (main && k + 1 < main[0].length && main[0][k + 1] <= times[i]) k++;
    const near = main ? main[1][k] : values[i - 1];
    by =
      near !== undefined && Number.isFinite(near) && Number.isFinite(values[i])
        ? 360 * Math.round((near - values[i]) / 360)
        : by;
    values[i] += by;
  }
}

/** All plots as one table over time: one column per line, empty where a line has no value at that time. */
export function csvOf(plots: Plot[]): string {
  const columns = plots.flatMap((p) =>
    p.series.map((s) => ({
      name: `${p.title}${s.label ? ` ${s.label}` : ""}${p.unit ? ` (${p.unit})` : ""}`,
      values: new Map(s.data.times.map((t, i) => [t, s.data.values[i]])),
    })),
  );
  const used = columns.filter((c) => [...c.values.values()].some(Number.isFinite)),
    times = [...new Set(used.flatMap((c) => [...c.values.keys()]))].sort((a, b) => a - b);
  const quote = (text: string) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const number = (v: number | undefined) => (v !== undefined && Number.isFinite(v) ? String(v) : "");
  return (
    [
      ["time (s)", ...used.map((c) => quote(c.name))].join(","),
      ...times.map((t) => [t, ...used.map((c) => number(c.values.get(t)))].join(",")),
    ].join("\n") + "\n"
  );
}
