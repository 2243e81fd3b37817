/** Time series for plots, and the names of the numbers in a message. */
export class Series {
  times: number[] = [];
  values: number[] = [];
  constructor(readonly most = 4000) {}

  add(time: number, value: number): void {
    const last = this.times[this.times.length - 1];
    if (last !== undefined && time < last - 1e-9) this.times.length = this.values.length = 0; // the time jumped back
    if (last !== undefined && time === last) return;
    this.times.push(time);
    this.values.push(Number.isFinite(value) ? value : NaN);
    if (this.times.length > 1.25 * this.most) {
      this.times.splice(0, this.times.length - this.most);
      this.values.splice(0, this.values.length - this.most);
    }
  }

  /** The value nearest to a time, within a second; NaN: none. */
  at(time: number): number {
    let best = NaN,
      least = 1;
    this.times.forEach((t, i) => Math.abs(t - time) < least && ([best, least] = [this.values[i], Math.abs(t - time)]));
    return best;
  }

  get last(): number {
    return this.values[this.values.length - 1] ?? NaN;
  }
}

export interface NamedNumber {
  path: string;
  unit: string;
  value: number;
}

/** All numbers of a message, with their names and units where it has `names` and `units` next to `values`. */
export function numbersOf(message: unknown, prefix = "", out: NamedNumber[] = []): NamedNumber[] {
  const m = (message ?? {}) as Record<string, unknown>,
    names = [m.names, m.name].find((list) => Array.isArray(list)) as string[] | undefined,
    units = m.units as string[] | undefined;
  for (const [key, v] of Object.entries(m)) {
    if (key === "header" || key === "stamp" || key === "names" || key === "units" || key === "name") continue;
    if (typeof v === "number" || typeof v === "bigint") out.push({ path: prefix + key, unit: "", value: Number(v) });
    else if (ArrayBuffer.isView(v) || (Array.isArray(v) && typeof v[0] === "number")) {
      const list = v as unknown as number[];
      if (list.length > 64) continue;
      for (let i = 0; i < list.length; i++) {
        const name =
          names && names.length === list.length ? (key === "values" ? names[i] : `${names[i]}.${key}`) : `${key}[${i}]`;
        out.push({ path: prefix + name, unit: units?.[i] ?? "", value: Number(list[i]) });
      }
    } else if (Array.isArray(v)) {
      if (v.length <= 16)
        v.forEach((item, i) => typeof item === "object" && numbersOf(item, `${prefix}${key}[${i}].`, out));
    } else if (v && typeof v === "object") numbersOf(v, `${prefix}${key}.`, out);
  }
  return out;
}

/** A number with a suitable number of decimal places. */
export function show(value: number, unit = ""): string {
  if (!Number.isFinite(value)) return "–";
  if (unit === "°") return `${fixed(value, 1)}°`;
  if (Math.abs(value) < 1e-12) return unit ? `0 ${unit}` : "0";
  const a = Math.abs(value),
    places = a >= 1000 ? 0 : a >= 100 ? 1 : a >= 1 ? 2 : a >= 0.1 ? 3 : 4;
  const text = a !== 0 && (a < 1e-4 || a >= 1e7) ? value.toExponential(2) : value.toFixed(places);
  return (
    (text.startsWith("-0") && Number(text) === 0 ? text.slice(1) : text).replace("-", "−") + (unit ? ` ${unit}` : "")
  );
}

/** What a vehicle does, to the millimetre: a depth of 1.6e−5 m is none. */
export function shown(value: number, unit: string): string {
  if ((unit !== "m" && unit !== "m/s") || Math.abs(value) >= 0.1) return show(value, unit);
  return Number.isFinite(value) ? `${Math.abs(value) < 5e-4 ? "0" : fixed(value, 3)} ${unit}` : "–";
}

/** A heading in degrees, 0.0 … 359.9. */
export function headingText(degrees_: number): string {
  const tenths = Math.round(10 * degrees_) % 3600;
  return `${((tenths + 3600) % 3600) / 10}`.replace(/^(\d+)$/, "$1.0") + "°";
}

/** "42.3 s", "02:05.0 s": rounded before it is split, so that seconds stay below 60. */
export function clockText(seconds: number): string {
  const tenths = Math.round(10 * Math.max(0, seconds)),
    minutes = Math.floor(tenths / 600),
    rest = ((tenths - 600 * minutes) / 10).toFixed(1);
  return minutes ? `${String(minutes).padStart(2, "0")}:${rest.padStart(4, "0")} s` : `${rest} s`;
}

/** With a fixed number of decimal places, a real minus sign, and no −0. */
export function fixed(value: number, places: number): string {
  const text = value.toFixed(places);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
}

export const degrees = 180 / Math.PI;

/** A value and its unit as scenario files have them: degrees, revolutions per minute. */
export function humanUnit(value: number, unit: string, turns = false): [number, string] {
  if (unit === "rad") return [value * degrees, "°"];
  if (unit === "rad/s") return turns ? [(value * 30) / Math.PI, "rpm"] : [value * degrees, "°/s"];
  if (unit === "degC") return [value, "°C"];
  if (unit === "m/s2") return [value, "m/s²"];
  return [value, unit];
}
