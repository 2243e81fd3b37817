/** Parameters with sliders, and gains pinned beside the response that they shape. */
import { make } from "../dom";
import { paramRow, type Param } from "../params";
import { Plot } from "../plots";
import { responseOf } from "../response";
import { show } from "../series";
import type { Detail } from "./detail";

const rowsMost = 160;

/** Paths of the pinned parameters, for all panels. */
const pins = new Set<string>();

/** The part of a vehicle that a parameter belongs to: "autopilot/depth" of /phoenix/autopilot/depth/kp. */
const partOf = (path: string) => path.split("/").slice(2, -1).join("/");

/** Of one vehicle: parts with written values first, and these before the others of their part. */
function arrange(list: Param[]): Param[] {
  const first = new Map<string, number>();
  list.forEach((p, i) => {
    const part = partOf(p.path).split("/")[0],
      rank = (p.written ? 0 : 1e6) + i;
    first.set(part, Math.min(first.get(part) ?? Infinity, rank));
  });
  const rank = (p: Param) => first.get(partOf(p.path).split("/")[0])!;
  return list.sort((a, b) => rank(a) - rank(b) || Number(b.written) - Number(a.written));
}

function row(d: Detail, p: Param, list: HTMLElement): void {
  const { element, update } = paramRow(p, (value) => d.params.set(p.path, value));
  element.setAttribute("role", "listitem");
  list.append(element);
  d.stops.push(d.params.watch(p.path, update));
  if (!p.live || typeof p.value !== "number") return;
  const pin = make(
    "button",
    { class: "pin", "aria-pressed": String(pins.has(p.path)), "aria-label": `Pin ${p.path}` },
    "pin",
  );
  pin.title = "keep this parameter beside the plot of its response, in Overview and Plots";
  pin.onclick = () => {
    if (!pins.delete(p.path)) pins.add(p.path);
    pin.setAttribute("aria-pressed", String(pins.has(p.path)));
    if (d.tab !== "Params") d.build();
  };
  element.querySelector(".line")!.append(pin);
}

export function paramTab(d: Detail): void {
  const find = make("input", {
    type: "search",
    placeholder: "Find parameter",
    "aria-label": "Find parameter",
    style: "width: 100%",
    value: d.filter,
  });
  const live = make("input", { type: "checkbox", id: "only-live" });
  live.checked = [...d.params.all.values()].some((p) => p.live); // parameters of a recording are fixed
  const list = make("div", { role: "list", "aria-label": "Parameters" });
  d.body.append(find, make("label", { class: "quiet" }, live, " only parameters that can be changed now"), list);
  const wanted = (p: Param, words: string[]) =>
    (!live.checked || p.live) &&
    (words.length
      ? words.every((w) => p.path.toLowerCase().includes(w) || p.text.toLowerCase().includes(w))
      : p.path.startsWith(`/${d.vehicle}/`));
  const fill = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    d.filter = find.value;
    list.replaceChildren();
    const found = arrange([...d.params.all.values()].filter((p) => wanted(p, words)));
    let part = "";
    for (const p of found.slice(0, rowsMost)) {
      if (!words.length && partOf(p.path).split("/")[0] !== part) {
        part = partOf(p.path).split("/")[0];
        list.append(make("h2", {}, part || "vehicle"));
      }
      row(d, p, list);
    }
    if (!found.length) list.append(make("p", { class: "quiet" }, "no match"));
  };
  find.oninput = live.onchange = fill;
  fill();
}

/** What a parameter shapes, by the words of its path: the plot beside which it is pinned. */
const shaped: [RegExp, string][] = [
  [/heading|bearing|yaw|steer|rudder/, "yaw"],
  [/speed|surge/, "forward speed"],
  [/pitch/, "pitch"],
  [/roll/, "roll"],
];
const quantityOf = (path: string) => shaped.find(([word]) => word.test(path))?.[1] ?? "depth";

/** The pinned parameters of the vehicle, each group with its plot and the numbers of the last step response. */
export function pinned(d: Detail): void {
  const mine = [...pins].filter((path) => path.startsWith(`/${d.vehicle}/`) && d.params.all.has(path));
  if (!mine.length) return;
  const colour = d.fleet.vehicles.get(d.vehicle!)?.colour ?? "#4cc3ff";
  d.body.append(make("h2", {}, "Pinned"));
  for (const quantity of new Set(mine.map(quantityOf))) {
    const holder = make("div", { class: "pinned", role: "group", "aria-label": `Response of ${quantity}` });
    d.body.append(holder);
    for (const path of mine.filter((p) => quantityOf(p) === quantity)) row(d, d.params.all.get(path)!, holder);
    const [title, unit, data, wanted] = d.trends().find(([name]) => name === quantity)!;
    const lines = [
      { label: "", colour, data },
      ...(wanted ? [{ label: "demand", colour: "#9fb4c2", data: wanted, dashed: true }] : []),
    ];
    d.addPlot(new Plot(`${title}, response`, unit, lines, 170), holder);
    const numbers = make("p", { class: "response", "aria-label": `Step response of ${quantity}` }, "waiting for data");
    holder.append(numbers);
    d.draws.push(() => {
      const r = wanted && responseOf(data, wanted, unit === "°" ? 360 : 0);
      const time = (t: number) => (Number.isFinite(t) ? show(t, "s") : "not yet");
      const text = r
        ? `step ${show(r.from)} → ${show(r.to, unit)} at ${r.at.toFixed(1)} s: rise time ${time(r.rise)}, overshoot ${(100 * r.overshoot).toFixed(1)} %, settling time ${time(r.settled)}`
        : "no step yet: change the setpoint under Orders";
      if (numbers.textContent !== text) numbers.textContent = text;
    });
  }
}
