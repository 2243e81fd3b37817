/** Parameters of the run: their values come from the protocol, their descriptions from the channel /parameters. */
import { make } from "./dom";
import type { Link, Parameter } from "./link";
import type { Parameters } from "./protocol";

export interface Param {
  path: string;
  unit: string;
  text: string;
  min: number;
  max: number;
  live: boolean;
  written: boolean; // in the scenario or one of its files
  value: unknown;
}

export class Params {
  all = new Map<string, Param>();
  onChange: (path: string) => void = () => {};
  onList: () => void = () => {};
  private watchers = new Map<string, Set<() => void>>();

  constructor(private link: Link) {
    link.onParameters = (list) => this.take(list);
    link.listen<Parameters>("/parameters", (m) => {
      for (const p of m.parameters)
        this.all.set(p.path, { ...p, written: p.written ?? true, value: this.all.get(p.path)?.value });
      this.onList();
    });
  }

  private take(list: Parameter[]): void {
    let fresh = false;
    for (const { name, value } of list) {
      const known = this.all.get(name);
      fresh ||= !known || known.value === undefined;
      if (known) known.value = value;
      else this.all.set(name, { path: name, unit: "", text: "", min: 0, max: 0, live: false, written: true, value });
      this.onChange(name);
      this.watchers.get(name)?.forEach((take) => take());
    }
    if (fresh && list.length > 20) this.onList();
  }

  /** Calls `take` after each change of a value, from wherever it comes. Returns a function that stops this. */
  watch(path: string, take: () => void): () => void {
    const set = this.watchers.get(path) ?? new Set();
    this.watchers.set(path, set.add(take));
    return () => void set.delete(take);
  }

  number(path: string): number {
    const v = this.all.get(path)?.value;
    return typeof v === "number" ? v : NaN;
  }

  set(path: string, value: number): void {
    this.link.set(path, value);
  }

  clear(): void {
    this.all.clear();
  }
}

const farthest = 1e6; // a limit beyond it says nothing

/** "0 … 5", "at least 0", "at most 5". */
function limitsOf({ min, max }: Param): string {
  const number = (v: number) => String(+v.toPrecision(5)).replace("-", "−");
  if (!min && !max) return "";
  const low = min > -farthest,
    high = max < farthest;
  if (low && high) return ` [${number(min)} … ${number(max)}]`;
  return low ? ` [at least ${number(min)}]` : high ? ` [at most ${number(max)}]` : "";
}

/** The reach of a slider: four times the value, within the limits; for 0 the limits or 1. */
function reachOf({ min, max }: Param, value: number): [number, number] {
  const limited = min || max;
  if (value) {
    const ends: [number, number] = value > 0 ? [0, 4 * value] : [4 * value, 0];
    return limited ? [Math.max(min, ends[0]), Math.min(max, ends[1])] : ends;
  }
  const low = limited ? Math.max(min, -1) : -1;
  return [low, limited && max - Math.max(min, 0) < 1e3 ? max : 1];
}

/** A path that may be broken after each slash. */
const path = (text: string) => text.split(/(?<=\/)/).flatMap((word, i) => (i ? [make("wbr"), word] : [word]));

/** A row with path, description, slider and number; `update` shows the present value. */
export function paramRow(param: Param, set: (value: number) => void): { element: HTMLElement; update: () => void } {
  const line = make("div", { class: "line" }, make("span", { class: "path" }, ...path(param.path))),
    text = make("div", { class: "text" }, `${param.text}${limitsOf(param)}`),
    row = make("div", { class: param.live ? "param" : "param fixed", "data-path": param.path }, line);
  let update: () => void;
  if (param.live && typeof param.value === "number") {
    const number = make("input", { type: "number", step: "any", "aria-label": `${param.path} value` }),
      slider = make("input", { type: "range", step: "any", "aria-label": `${param.path} slider` }),
      [low, high] = reachOf(param, param.value);
    slider.min = String(low);
    slider.max = String(high);
    line.append(number, param.unit || "–");
    row.append(slider);
    number.onchange = () => set(Number((slider.value = number.value)));
    slider.oninput = () => {
      number.value = String(+Number(slider.value).toPrecision(4));
      set(Number(slider.value));
    };
    update = () => {
      const value = Number(param.value);
      if (value > Number(slider.max)) slider.max = String(reachOf(param, value)[1]);
      if (value < Number(slider.min)) slider.min = String(reachOf(param, value)[0]);
      if (document.activeElement !== number || Number(number.value) !== value)
        number.value = String(+value.toPrecision(7));
      if (!slider.matches(":active")) slider.value = String(value);
    };
    update();
  } else {
    const value = make("span", {}, "");
    line.append(value, " ", param.unit);
    update = () => (value.textContent = String(param.value ?? "–"));
    update();
  }
  row.append(text);
  return { element: row, update };
}
