/** Parameters of the run: their values come from the protocol, their descriptions from the channel /parameters. */
import type { Link, Parameter } from "./link";
import type { Parameters } from "./protocol";

export interface Param {
  path: string;
  unit: string;
  text: string;
  min: number;
  max: number;
  live: boolean;
  value: unknown;
}

export class Params {
  all = new Map<string, Param>();
  onChange: (path: string) => void = () => {};
  onList: () => void = () => {};

  constructor(private link: Link) {
    link.onParameters = (list) => this.take(list);
    link.listen<Parameters>("/parameters", (m) => {
      for (const p of m.parameters) this.all.set(p.path, { ...p, value: this.all.get(p.path)?.value });
      this.onList();
    });
  }

  private take(list: Parameter[]): void {
    for (const { name, value } of list) {
      const known = this.all.get(name);
      if (known) known.value = value;
      else this.all.set(name, { path: name, unit: "", text: "", min: 0, max: 0, live: false, value });
      this.onChange(name);
    }
    if (list.length > 20) this.onList();
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

/** A row with path, description, slider and number. */
export function paramRow(param: Param, set: (value: number) => void): HTMLElement {
  const row = document.createElement("div");
  row.className = param.live ? "param" : "param fixed";
  row.dataset.path = param.path;
  const line = document.createElement("div"),
    path = document.createElement("span"),
    text = document.createElement("div");
  line.className = "line";
  path.className = "path";
  path.textContent = param.path;
  text.className = "text";
  const limits = param.min || param.max ? ` [${+param.min.toPrecision(5)} … ${+param.max.toPrecision(5)}]` : "";
  text.textContent = `${param.text}${limits}`;
  line.append(path);
  row.append(line);
  if (param.live && typeof param.value === "number") {
    const number = document.createElement("input");
    number.type = "number";
    number.step = "any";
    number.value = String(+param.value.toPrecision(7));
    number.setAttribute("aria-label", `${param.path} value`);
    line.append(number, param.unit || "–");
    const bounded = (param.min || param.max) && Math.abs(param.max - param.min) < 1e5;
    const here = Math.abs(param.value) || 1;
    const slider = document.createElement("input");
    slider.type = "range";
    slider.min = String(bounded ? Math.max(param.min, -20 * here) : -4 * here);
    slider.max = String(bounded ? Math.min(param.max, Math.max(1, 20 * here)) : 4 * here);
    slider.step = "any";
    slider.value = String(param.value);
    slider.setAttribute("aria-label", `${param.path} slider`);
    number.onchange = () => set(Number((slider.value = number.value)));
    slider.oninput = () => {
      number.value = String(+Number(slider.value).toPrecision(4));
      set(Number(slider.value));
    };
    row.append(slider);
  } else line.append(String(param.value ?? "–"), " ", param.unit);
  row.append(text);
  return row;
}
