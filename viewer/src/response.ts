/** The response to the last step of a setpoint: rise time, overshoot and settling time. */
import type { Series } from "./series";

export interface Response {
  from: number;
  to: number;
  at: number; // s: when the setpoint changed
  rise: number; // s from 10 % to 90 % of the step; NaN: not yet
  overshoot: number; // beyond the setpoint, relative to the step
  settled: number; // s after the step from which the value stays within 5 % of the step; NaN: not yet
}

const band = 0.05;

/** The value of a line at a time, between its samples. */
function valueAt({ times, values }: Series, time: number): number {
  let i = times.length - 1;
  while (i > 0 && times[i] > time) i--;
  const next = i + 1 < times.length && times[i] < time ? (time - times[i]) / (times[i + 1] - times[i]) : 0;
  return next > 0 ? values[i] + next * (values[i + 1] - values[i]) : values[i];
}

/** The last change of a setpoint: its time; without one the first time that it was known. */
function lastStep(wanted: Series): number {
  for (let i = wanted.times.length - 1; i > 0; i--) {
    const [a, b] = [wanted.values[i - 1], wanted.values[i]];
    if (Number.isFinite(b) && (!Number.isFinite(a) || Math.abs(a - b) > 1e-6 * Math.max(1, Math.abs(b))))
      return wanted.times[i];
  }
  return wanted.times.find((_, i) => Number.isFinite(wanted.values[i])) ?? NaN;
}

/** `turn`: the value that a whole turn has, for headings; 0: none. null: no setpoint, or it asks for no change. */
export function responseOf(data: Series, wanted: Series, turn = 0): Response | null {
  const to = wanted.last,
    at = lastStep(wanted);
  if (!Number.isFinite(to) || !Number.isFinite(at) || !data.times.length) return null;
  const wrap = (v: number) => (turn ? v - turn * Math.round((v - to) / turn) : v),
    from = wrap(valueAt(data, at)),
    step = to - from;
  if (!(Math.abs(step) > 1e-9)) return null;
  let low = NaN,
    rise = NaN,
    beyond = 0,
    settled = NaN;
  for (let i = 0; i < data.times.length; i++) {
    const t = data.times[i] - at,
      share = (wrap(data.values[i]) - from) / step;
    if (t < 0 || !Number.isFinite(share)) continue;
    if (Number.isNaN(low) && share >= 0.1) low = t;
    if (Number.isNaN(rise) && share >= 0.9) rise = t - low;
    beyond = Math.max(beyond, share - 1);
    if (Math.abs(share - 1) > band) settled = NaN;
    else if (Number.isNaN(settled)) settled = t;
  }
  return { from, to, at, rise, overshoot: beyond, settled };
}
