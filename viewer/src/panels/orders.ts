/** Orders to a vehicle: setpoints, waypoints, actuators, and other vehicles like it. */
import { make, toast } from "../dom";
import type { ActuatorState } from "../messages";
import type { Setpoint, Setpoints } from "../protocol";
import { degrees, humanUnit, show } from "../series";
import type { Detail } from "./detail";

export function ask(d: Detail, service: string, request: object): void {
  d.link.call(service, request).catch((e: Error) => toast(e.message, true));
}

/** A row for one setpoint: slider, number (empty: not set), release. */
export function setpoint(d: Detail, s: Setpoint): HTMLElement[] {
  const v = d.fleet.vehicles.get(d.vehicle!),
    angle = s.unit === "rad",
    factor = angle ? degrees : 1,
    unit = angle ? "°" : s.unit;
  const usual: Record<string, [number, number]> = {
    heading: [0, 360],
    bearing: [0, 360],
    depth: [0, Math.max(30, 2 * (v?.depth ?? 0))],
    speed: [0, 3],
  };
  const limit = usual[s.name] ?? (angle ? [-90, 90] : s.max > s.min && s.max < 1e5 ? [s.min, s.max] : [-100, 100]);
  const now =
    {
      heading: (v?.heading ?? 0) * degrees,
      bearing: (v?.heading ?? 0) * degrees,
      depth: v?.depth ?? 0,
      speed: v?.speed ?? 0,
    }[s.name] ?? 0;
  const number = make("input", {
    type: "number",
    step: "any",
    placeholder: "not set",
    "aria-label": `Desired ${s.name}`,
  });
  const slider = make("input", {
    type: "range",
    min: String(limit[0]),
    max: String(limit[1]),
    step: "any",
    "aria-label": `Desired ${s.name} slider`,
  });
  const free = make(
    "button",
    { "aria-label": `Release ${s.name}`, title: "return to the vehicle's own value" },
    "release",
  );
  const send = () =>
    ask(
      d,
      "/desire",
      number.value === ""
        ? { vehicle: d.vehicle, what: s.name }
        : { vehicle: d.vehicle, what: s.name, value: Number(number.value) / factor },
    );
  number.value = s.value === null ? "" : String(+(s.value * factor).toFixed(2));
  slider.value = String(s.value === null ? now : s.value * factor);
  number.onchange = () => ((slider.value = number.value || slider.value), send());
  slider.onchange = () => ((number.value = Number(slider.value).toFixed(1)), send());
  free.onclick = () => ((number.value = ""), ask(d, "/desire", { vehicle: d.vehicle, what: s.name }));
  return [make("span", { title: s.text }, `${s.name} (${unit})`), slider, number, free];
}

/** The setpoints of the vehicle's controllers, and whether each controller is engaged. */
export function orders(d: Detail): void {
  const grid = make("div", { class: "controls" }),
    pilots = make("div", { class: "buttons" }),
    nothing = make("p", { class: "quiet" }, "This vehicle has no autopilot.");
  d.body.append(make("h2", {}, "Hold"), grid, nothing, pilots);
  d.stops.push(
    d.link.listen("/setpoints", (m: Setpoints) => {
      const of = m.vehicles?.[d.vehicle!];
      if (!of || grid.contains(document.activeElement)) return;
      const last = new Map(of.setpoints.map((s) => [s.name, s])); // for equal names the last part counts
      grid.replaceChildren(...[...last.values()].flatMap((s) => setpoint(d, s)));
      nothing.hidden = last.size > 0;
      if (of.controllers.length) nothing.textContent = "The controllers of d vehicle have no setpoints.";
      pilots.replaceChildren(
        ...of.controllers.map((c) => {
          const button = make(
            "button",
            {
              "aria-pressed": String(c.engaged),
              "aria-label": `Engage ${c.name}`,
              title: "an engaged controller commands actuators",
            },
            `${c.name} ${c.engaged ? "engaged" : "disengaged"}`,
          );
          button.onclick = () =>
            ask(d, c.engaged ? "/disengage" : "/engage", { vehicle: d.vehicle, controller: c.name });
          return button;
        }),
      );
    }),
  );
  if (d.link.byTopic.has(`${d.link.home(d.vehicle!)}/waypoints`)) route(d);
  drive(d);
  population(d);
}

export function route(d: Detail): void {
  const rows = make("table", { class: "rows route", "aria-label": "Waypoints" }),
    clear = make("button", {}, "Clear"),
    add = make("button", {}, "Add");
  const fill = () => {
    if (rows.contains(document.activeElement)) return;
    const list = d.waypoints.of(d.vehicle);
    rows.replaceChildren();
    if (list.length)
      rows.append(
        make("tr", {}, ...["", "north (m)", "east (m)", "depth (m)"].map((t) => make("th", { scope: "col" }, t))),
      );
    list.forEach((w, i) => {
      const row = make("tr", {}, make("td", {}, String(i + 1)));
      ["north", "east", "depth"].forEach((name, k) => {
        const number = make("input", {
          type: "number",
          step: "any",
          "aria-label": `Waypoint ${i + 1} ${name}`,
          value: String(+w.position[k].toFixed(2)),
        });
        number.onchange = () => {
          w.position[k] = Number(number.value);
          d.waypoints.move(d.vehicle!, i, w.position);
        };
        row.append(make("td", {}, number));
      });
      rows.append(row);
    });
    clear.disabled = !list.length;
  };
  clear.onclick = () => d.waypoints.removeAll(d.vehicle!);
  add.onclick = () => {
    const v = d.fleet.vehicles.get(d.vehicle!)!,
      last = d.waypoints.of(d.vehicle).at(-1)?.position ?? [v.now.p[1], v.now.p[0], Math.max(0, v.depth)];
    d.waypoints.add(d.vehicle!, [last[0] + 10 * Math.cos(v.heading), last[1] + 10 * Math.sin(v.heading), last[2]]);
  };
  d.stops.push(d.waypoints.watch(fill));
  fill();
  const text = make(
    "p",
    { class: "quiet" },
    "Double-click the map to add a waypoint at the vehicle's depth; drag a waypoint to move it.",
  );
  d.body.append(make("h2", {}, "Waypoints"), rows, make("div", { class: "buttons" }, add, clear), text);
}

export /** Where another vehicle like this one may have room: abreast, astern, ahead, below, above; forward, starboard, down in lengths. */
const berths = [
  [0, 1.5, 0],
  [0, -1.5, 0],
  [-2, 0, 0],
  [2, 0, 0],
  [0, 4, 0],
  [0, -4, 0],
  [-5, 0, 0],
  [0, 0, 1.5],
  [0, 0, -1.5],
];

/** Adds a vehicle at the first place where the program accepts it. */
async function spawn(d: Detail): Promise<void> {
  const v = d.fleet.vehicles.get(d.vehicle!)!,
    length = Math.max(0.4, 2 * d.sizeOf(d.vehicle!)),
    [c, s] = [Math.cos(v.heading), Math.sin(v.heading)];
  let n = 2,
    refusal = "";
  while (d.fleet.vehicles.has(`${d.vehicle}-${n}`)) n++;
  for (const [ahead, beside, down] of berths) {
    const position = [
      v.now.p[1] + length * (ahead * c - beside * s),
      v.now.p[0] + length * (ahead * s + beside * c),
      Math.max(0, v.depth + length * down),
    ];
    const request = { name: `${d.vehicle}-${n}`, like: d.vehicle, position, heading: v.heading };
    const done = await d.link.call("/spawn", request).then(
      () => true,
      (e: Error) => ((refusal = e.message), false),
    );
    if (done) return;
  }
  toast(refusal, true);
}

function population(d: Detail): void {
  const remove = make("button", {}, `Remove ${d.vehicle}`),
    twin = make("button", {}, "Spawn another");
  remove.onclick = () => ask(d, "/remove", { name: d.vehicle });
  twin.onclick = () => void spawn(d);
  d.body.append(make("h2", {}, "Vehicles"), make("div", { class: "buttons" }, twin, remove));
}

/** Sliders for the actuators; /scene defines the range of each order. */
export function drive(d: Detail): void {
  const holder = make("div", { class: "controls", style: "grid-template-columns: 1fr auto auto" }),
    free = make("button", { "aria-label": "Release actuators" }, "Release all");
  const owners: HTMLElement[] = [];
  free.onclick = () => ask(d, "/release", { vehicle: d.vehicle });
  d.body.append(make("h2", {}, "Actuators"), holder, make("div", { class: "buttons" }, free));
  const stop = d.link.listen(`${d.link.home(d.vehicle!)}/actuators`, (m: ActuatorState) => {
    owners.forEach((o, i) => o.textContent !== m.owners[i] && (o.textContent = m.owners[i] ?? ""));
    if (holder.children.length) return;
    const known = d.actuatorsOf.of(d.vehicle),
      deepest = Math.max(30, 2 * (d.fleet.vehicles.get(d.vehicle!)?.depth ?? 0));
    m.names.forEach((name, i) => {
      const unit = m.units[i],
        a = known.find((one) => one.name === name);
      if (!a) return;
      const [scale, shown] = humanUnit(1, unit, true),
        deep = a.kind === "order" && unit === "m";
      const slider = make("input", {
        type: "range",
        min: String(scale * a.low),
        max: String(scale * (deep ? Math.min(a.high, deepest) : a.high)),
        step: "any",
        "aria-label": `Order ${name}`,
      });
      slider.value = String(scale * m.orders[i]);
      const value = make("span", { class: "quiet" }, show(scale * m.orders[i], shown));
      slider.oninput = () => {
        value.textContent = show(Number(slider.value), shown);
        ask(d, "/order", { vehicle: d.vehicle, actuator: name, value: Number(slider.value) / scale });
      };
      owners[i] = make(
        "span",
        { class: "quiet", "aria-label": `Owner of ${name}`, title: "source of the current order" },
        m.owners?.[i] ?? "",
      );
      holder.append(make("label", {}, name, slider), value, owners[i]);
    });
  });
  d.stops.push(stop);
}
