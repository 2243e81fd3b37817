/** Details of one vehicle, in tabs: in the right panel or in separate windows. */
import { Difference, isSecond, twinOf, type State } from "../compare";
import { make, save, toast } from "../dom";
import { colourOf, eulerOf, type Fleet } from "../fleet";
import type { Channel, Link } from "../link";
import { paramRow, type Params } from "../params";
import { csvOf, Plot } from "../plots";
import { degrees, fixed, numbersOf, Series, show } from "../series";
import { measuredColour, type Overlays } from "../overlay";
import type { Waypoints } from "../waypoints";
import type { NoseCamera } from "./nosecam";
import { drawPlanes } from "./planes";
import type { Actuators } from "../actuators";
import type { ActuatorState, Odometry, Values } from "../messages";
import type { Clients, Setpoint, Setpoints } from "../protocol";
import { isPicture, rankOf, senseFor, type Owner } from "./senses";

export const tabs = ["Overview", "Plots", "Senses", "Params", "Orders", "Faults"] as const;
export type Tab = (typeof tabs)[number];

export class Detail {
  tab: Tab = "Overview";
  knots = false;
  private stops: (() => void)[] = [];
  private draws: (() => void)[] = [];
  private plots: Plot[] = [];
  private odom: Odometry | null = null;
  private series = {
    roll: new Series(),
    pitch: new Series(),
    yaw: new Series(),
    depth: new Series(),
    speed: new Series(),
    wantDepth: new Series(),
    wantYaw: new Series(),
    wantSpeed: new Series(),
  };
  private difference = new Difference();
  private extra: { topic: string; path: string; data: Series; unit: string }[] = [];
  private odomStop: () => void = () => {};
  private home = ""; // of the vehicle's topics
  filter = "";

  constructor(
    readonly body: HTMLElement,
    private link: Link,
    private fleet: Fleet,
    private params: Params,
    private waypoints: Waypoints,
    private camera: NoseCamera,
    private overlays: Overlays,
    private actuatorsOf: Actuators,
    public vehicle: string | null = null,
  ) {}

  /** Shows another vehicle or another tab. */
  open(vehicle: string | null, tab: Tab = this.tab): void {
    const home = vehicle ? this.link.home(vehicle) : "";
    if (vehicle !== this.vehicle || home !== this.home) {
      for (const s of Object.values(this.series)) s.times.length = s.values.length = 0;
      this.difference.clear();
      this.extra = [];
      this.odomStop();
      this.odomStop = vehicle ? this.listenOdom(vehicle) : () => {};
    }
    this.vehicle = vehicle;
    this.home = home;
    this.tab = tab;
    this.build();
  }

  close(): void {
    this.odomStop();
    this.reset();
  }

  private listenOdom(name: string): () => void {
    const a = this.link.listen(`${this.link.home(name)}/odom`, (m: Odometry, time) => {
      this.odom = m;
      const q = m.pose.pose.orientation,
        [roll, pitch, heading] = eulerOf([q.x, q.y, q.z, q.w]);
      this.series.speed.add(time, m.twist.twist.linear.x);
      this.series.roll.add(time, roll * degrees);
      this.series.pitch.add(time, pitch * degrees);
      this.series.yaw.add(time, heading * degrees);
      this.series.depth.add(time, -m.pose.pose.position.z);
    });
    const b = this.link.listen(`${this.link.home(name)}/autopilot`, (m: Values, time) => {
      const find = (n: string) => m.values[m.names.indexOf(n)];
      this.series.wantDepth.add(time, find("depth.demand"));
      this.series.wantYaw.add(time, find("heading.demand") * degrees);
      this.series.wantSpeed.add(time, find("speed.demand"));
    });
    const c = isSecond(name) ? () => {} : this.compare(name);
    const d = this.listenSetpoints(name);
    return () => (a(), b(), c(), d());
  }

  /** If no autopilot publishes its demands, plots the setpoints of the controllers; for equal names that of the last part. */
  private listenSetpoints(name: string): () => void {
    const home = this.link.home(name);
    return this.link.listen(`${home}/setpoints`, (m: Values, time) => {
      if ([...this.link.channels.values()].some((c) => c.topic === `${home}/autopilot`)) return;
      const find = (...names: string[]) =>
        m.values[m.names.map((n) => names.includes(n.split("/").pop()!)).lastIndexOf(true)] ?? NaN;
      this.series.wantDepth.add(time, find("depth"));
      this.series.wantYaw.add(time, find("heading", "bearing") * degrees);
      this.series.wantSpeed.add(time, find("speed"));
    });
  }

  /** The same vehicle in the other recording, if any. */
  private compare(name: string): () => void {
    const state = (m: Odometry, time: number): State => {
      const o = m.pose.pose.position,
        q = m.pose.pose.orientation;
      return { time, values: [o.y, o.x, -o.z, eulerOf([q.x, q.y, q.z, q.w])[2], m.twist.twist.linear.x] };
    };
    const a = this.link.listen(`${this.link.home(twinOf(name))}/odom`, (m: Odometry, time) =>
      this.difference.takeSecond(state(m, time)),
    );
    const b = this.link.listen(`${this.link.home(name)}/odom`, (m: Odometry, time) =>
      this.difference.takeFirst(state(m, time)),
    );
    return () => (a(), b());
  }

  private measuredPlots(all: boolean): void {
    const o = this.overlays.of(this.vehicle),
      holder = make("div");
    if (!o) return;
    const d = o.differences,
      rows: [string, string, Series][] = [
        ["distance between model and measured", "m", d.distance],
        ["depth difference", "m", d.depth],
        ["heading difference", "°", d.heading],
        ["speed difference", "m/s", d.speed],
      ];
    this.body.append(make("h2", {}, "Model minus measured"), holder);
    for (const [title, unit, data] of all ? rows : rows.slice(0, 1))
      this.addPlot(new Plot(title, unit, [{ label: "", colour: measuredColour, data }], 84), holder);
  }

  private differencePlots(all: boolean): void {
    if (isSecond(this.vehicle!) || !this.fleet.vehicles.has(twinOf(this.vehicle!))) return;
    const d = this.difference,
      colour = this.fleet.vehicles.get(this.vehicle!)?.colour ?? "#4cc3ff",
      holder = make("div");
    const rows: [string, string, Series][] = [
      ["distance", "m", d.apart],
      ["depth difference", "m", d.depth],
      ["heading difference", "°", d.heading],
      ["speed difference", "m/s", d.speed],
    ];
    this.body.append(make("h2", {}, `${twinOf(this.vehicle!)} less ${this.vehicle}`), holder);
    for (const [title, unit, data] of all ? rows : rows.slice(0, 1))
      this.addPlot(new Plot(title, unit, [{ label: "", colour, data }], 84), holder);
  }

  private reset(): void {
    this.stops.forEach((stop) => stop());
    this.plots.forEach((plot) => plot.dispose());
    this.stops = [];
    this.draws = [];
    this.plots = [];
    this.body.replaceChildren();
  }

  build(): void {
    this.reset();
    if (!this.vehicle) {
      this.body.append(make("p", { class: "quiet" }, "Click a vehicle in the sea or in the list."));
      return;
    }
    ({
      Overview: () => this.overview(),
      Plots: () => this.plotTab(),
      Senses: () => this.senses(),
      Params: () => this.paramTab(),
      Orders: () => this.orders(),
      Faults: () => this.faults(),
    })[this.tab]();
  }

  /** A few times per second. */
  update(): void {
    for (const draw of this.draws) draw();
  }

  private channels(): Channel[] {
    return [...this.link.channels.values()].filter((c) => c.topic.startsWith(`${this.link.home(this.vehicle!)}/`));
  }

  // --- overview ------------------------------------------------------------------------------------------------------

  private overview(): void {
    const tiles = make("div", { class: "tiles" }),
      cells = new Map<string, HTMLElement>();
    for (const name of ["depth", "heading", "speed", "roll", "pitch", "north, east"]) {
      const value = make("b", {}, "–");
      cells.set(name, value);
      tiles.append(make("div", { class: "tile" }, make("span", {}, name), value));
    }
    const nose = make("canvas", { class: "inset", role: "img", "aria-label": `Nose camera of ${this.vehicle}` });
    this.body.append(tiles, nose);
    this.stops.push(this.camera.show(nose, this.vehicle!));
    this.client();
    const put = (name: string, text: string) => (cells.get(name)!.textContent = text);
    this.draws.push(() => {
      const v = this.fleet.vehicles.get(this.vehicle!);
      if (!v) return;
      const speed = this.odom ? this.odom.twist.twist.linear.x : v.speed;
      put("depth", show(v.depth, "m"));
      put("heading", `${(v.heading * degrees).toFixed(1)}°`);
      put("speed", this.knots ? `${(speed / 0.514444).toFixed(2)} kn` : show(speed, "m/s"));
      put("roll", `${fixed(v.roll * degrees, 1)}°`);
      put("pitch", `${fixed(v.pitch * degrees, 1)}°`);
      put("north, east", `${fixed(v.now.p[1], 1)}, ${fixed(v.now.p[0], 1)}`);
    });
    this.measuredPlots(false);
    this.differencePlots(false);
    this.fivePlots(false);
    const pictures = this.channels()
      .filter((c) => isPicture(c) && !c.topic.endsWith("/joints"))
      .sort((a, b) => rankOf(a) - rankOf(b))
      .slice(0, 2);
    for (const channel of pictures) this.addSense(channel);
    this.actuators();
  }

  /** The clients that control the vehicle, if the run is served to clients. */
  private client(): void {
    const line = make("p", { class: "quiet", "aria-label": "Client" });
    line.hidden = true;
    this.body.append(line);
    this.stops.push(
      this.link.listen("/clients", (m: Clients) => {
        const c = m.clients.find((one) => one.vehicle === this.vehicle);
        line.hidden = !c;
        if (c)
          line.textContent = `client ${c.id}${c.name ? ` ${c.name}` : ""} (${c.role}) at ${c.port ? `${c.address}:${c.port}` : "a local socket"}${c.connected ? "" : ", lost"}`;
      }),
    );
  }

  private fivePlots(all: boolean): void {
    const s = this.series,
      colour = this.fleet.vehicles.get(this.vehicle!)?.colour ?? "#4cc3ff";
    const rows: [string, string, Series, Series | null][] = [
      ["depth", "m", s.depth, s.wantDepth],
      ["yaw", "°", s.yaw, s.wantYaw],
      ["forward speed", "m/s", s.speed, s.wantSpeed],
      ["pitch", "°", s.pitch, null],
      ["roll", "°", s.roll, null],
    ];
    const holder = make("div");
    this.body.append(holder);
    for (const [title, unit, data, wanted] of all ? rows : rows.slice(0, 3)) {
      const list = [{ label: "", colour, data }] as { label: string; colour: string; data: Series; dashed?: boolean }[];
      const measured = this.overlays.of(this.vehicle)?.lines[title];
      if (measured) list.push({ label: "measured", colour: measuredColour, data: measured });
      if (wanted) list.push({ label: "demand", colour: "#9fb4c2", data: wanted, dashed: true });
      this.addPlot(new Plot(title, unit, list, 84), holder);
    }
  }

  private addPlot(plot: Plot, holder: HTMLElement): void {
    this.plots.push(plot);
    holder.append(plot.element);
    this.draws.push(() => plot.update(holder.clientWidth));
    plot.element.ondragover = (e) => e.preventDefault();
    plot.element.ondrop = (e) => {
      e.preventDefault();
      const field = JSON.parse(e.dataTransfer?.getData("text/plain") || "null");
      if (field?.topic) this.addLine(plot, field);
    };
  }

  /** Adds a field that was dropped on a plot as a line. */
  private addLine(plot: Plot, field: { topic: string; path: string }): void {
    const data = new Series();
    plot.add(`${field.topic} ${field.path}`, colourOf(plot.series.length + 2), data);
    this.stops.push(
      this.link.listen(field.topic, (m, time) => {
        const found = numbersOf(m).find((n) => n.path === field.path);
        if (found) data.add(time, found.value);
      }),
    );
  }

  private actuators(): void {
    const channel = this.link.byTopic.get(`${this.link.home(this.vehicle!)}/actuators`);
    if (channel) this.addSense(channel);
  }

  // --- plots ---------------------------------------------------------------------------------------------------------

  private plotTab(): void {
    const bar = make("div", { class: "controls", style: "grid-template-columns: 1fr auto; margin-bottom: 8px" });
    const find = make("input", { type: "search", placeholder: "Find channel or field", "aria-label": "Find channel" });
    const csv = make(
      "button",
      { "aria-label": "Save plots as CSV", title: "saves all plotted values to one file" },
      "CSV",
    );
    csv.onclick = () => save(`${this.vehicle}.csv`, new Blob([csvOf(this.plots)], { type: "text/csv" }));
    bar.append(find, csv);
    const tree = make("div", { class: "tree" });
    const holder = make("div");
    this.body.append(bar, tree, holder);
    const fill = () => {
      tree.replaceChildren();
      const word = find.value.toLowerCase();
      for (const channel of this.link.channels.values()) {
        const own = [this.link.home(this.vehicle!), `/overlay/${this.vehicle}`].some((home) =>
          channel.topic.startsWith(`${home}/`),
        );
        if ((!own && !word) || (word && !channel.topic.toLowerCase().includes(word))) continue;
        tree.append(this.branch(channel, holder));
        if (tree.children.length > 80) break;
      }
    };
    find.oninput = fill;
    fill();
    this.planes();
    for (const e of this.extra) this.addExtra(e, holder);
    this.measuredPlots(true);
    this.differencePlots(true);
    this.fivePlots(true);
  }

  /** The fields of a channel, taken from its next message. */
  private branch(channel: Channel, holder: HTMLElement): HTMLElement {
    const branch = make(
      "details",
      {},
      make(
        "summary",
        {},
        channel.topic,
        make("span", { class: "quiet" }, ` ${channel.schemaName.replace("/msg/", "/")}`),
      ),
    );
    branch.addEventListener("toggle", () => {
      if (!branch.open || branch.children.length > 1) return;
      const stop = this.link.listen(channel.topic, (m) => {
        if (branch.children.length > 1) return;
        for (const n of numbersOf(m)) {
          const b = make("button", { draggable: "true", title: "click for a new plot, or drag onto a plot" }, n.path);
          b.ondragstart = (e) =>
            e.dataTransfer?.setData("text/plain", JSON.stringify({ topic: channel.topic, path: n.path, unit: n.unit }));
          b.onclick = () => {
            const e = { topic: channel.topic, path: n.path, data: new Series(), unit: n.unit };
            this.extra.push(e);
            this.addExtra(e, holder);
          };
          branch.append(b);
        }
        setTimeout(() => stop());
      });
      this.stops.push(stop);
    });
    return branch;
  }

  private addExtra(e: { topic: string; path: string; data: Series; unit: string }, holder: HTMLElement): void {
    const plot = new Plot(`${e.topic} ${e.path}`, e.unit, [{ label: "", colour: "#ffb000", data: e.data }], 84, () => {
      this.extra = this.extra.filter((other) => other !== e);
      this.build();
    });
    this.addPlot(plot, holder);
    this.stops.push(
      this.link.listen(e.topic, (m, time) => {
        const found = numbersOf(m).find((n) => n.path === e.path);
        if (found) e.data.add(time, found.value);
      }),
    );
  }

  /** The track in the three coordinate planes, with the waypoints. */
  private planes(): void {
    const canvas = make("canvas", { class: "inset", role: "img", "aria-label": "Track in the three planes" });
    this.body.append(make("h2", {}, "Track in the three planes"), canvas);
    this.draws.push(() => {
      const v = this.fleet.vehicles.get(this.vehicle!);
      if (v)
        drawPlanes(
          canvas,
          v,
          this.waypoints.of(this.vehicle).map((w) => w.position),
          this.series.wantDepth.last,
          this.overlays.of(this.vehicle)?.track,
          measuredColour,
        );
    });
  }

  // --- senses --------------------------------------------------------------------------------------------------------

  private owner(): Owner {
    const colourOf = (name: string) => this.fleet.vehicles.get(name)?.colour ?? "#9fb4c2";
    return {
      vehicle: this.vehicle!,
      colour: colourOf(this.vehicle!),
      colourOf,
      has: (topic) => this.link.byTopic.has(topic),
      parameter: (path) => this.params.all.get(`/${this.vehicle}/${path}`)?.value,
      set: (path, value) => this.params.set(`/${this.vehicle}/${path}`, value),
    };
  }

  private addSense(channel: Channel): void {
    const sense = senseFor(channel, this.owner());
    this.body.append(sense.element);
    for (const topic of [channel.topic, ...(sense.topics ?? [])])
      this.stops.push(this.link.listen(topic, (m, t) => sense.take(m, t, topic)));
    this.draws.push(() => sense.draw());
  }

  private senses(): void {
    const channels = this.channels().filter(
      (c) => !/\/(odom|wrench|actuators)$/.test(c.topic) && !(c.topic.endsWith("/joints") && !this.isFish()),
    );
    const sounds = this.link.byTopic.get("/acoustics/emissions");
    if (sounds && this.hears()) channels.push(sounds);
    channels.sort((a, b) => rankOf(a) - rankOf(b));
    for (const channel of channels) this.addSense(channel);
    if (!channels.length) this.body.append(make("p", { class: "quiet" }, "This vehicle has no instruments."));
  }

  /** The joints of a fish are servos; those of other vehicles are fins. */
  private isFish(): boolean {
    return (
      [...this.params.all.keys()].some((path) => path.startsWith(`/${this.vehicle}/`) && path.includes("servo")) ||
      this.link.byTopic.has(`${this.link.home(this.vehicle!)}/fish-brain`)
    );
  }

  private hears(): boolean {
    return this.channels().some((c) => /modem|transponder|lbl|usbl|sbl|beacon|pinger|-head$/.test(c.topic));
  }

  // --- parameters ----------------------------------------------------------------------------------------------------

  private paramTab(): void {
    const find = make("input", {
      type: "search",
      placeholder: "Find parameter",
      "aria-label": "Find parameter",
      style: "width: 100%",
      value: this.filter,
    });
    const live = make("input", { type: "checkbox", id: "only-live" });
    live.checked = [...this.params.all.values()].some((p) => p.live); // parameters of a recording are fixed
    const list = make("div", { role: "list", "aria-label": "Parameters" });
    this.body.append(find, make("label", { class: "quiet" }, live, " only parameters that can be changed now"), list);
    const fill = () => {
      const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
      this.filter = find.value;
      list.replaceChildren();
      let n = 0;
      for (const p of this.params.all.values()) {
        if (live.checked && !p.live) continue;
        if (!words.length && !p.path.startsWith(`/${this.vehicle}/`)) continue;
        if (!words.every((w) => p.path.toLowerCase().includes(w) || p.text.toLowerCase().includes(w))) continue;
        const row = paramRow(p, (value) => this.params.set(p.path, value));
        row.setAttribute("role", "listitem");
        list.append(row);
        if (++n >= 120) break;
      }
      if (!n) list.append(make("p", { class: "quiet" }, "no match"));
    };
    find.oninput = live.onchange = fill;
    fill();
  }

  // --- orders --------------------------------------------------------------------------------------------------------

  private ask(service: string, request: object): void {
    this.link.call(service, request).catch((e: Error) => toast(e.message, true));
  }

  /** A row for one setpoint: slider, number (empty: not set), release. */
  private setpoint(s: Setpoint): HTMLElement[] {
    const v = this.fleet.vehicles.get(this.vehicle!),
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
      this.ask(
        "/desire",
        number.value === ""
          ? { vehicle: this.vehicle, what: s.name }
          : { vehicle: this.vehicle, what: s.name, value: Number(number.value) / factor },
      );
    number.value = s.value === null ? "" : String(+(s.value * factor).toFixed(2));
    slider.value = String(s.value === null ? now : s.value * factor);
    number.onchange = () => ((slider.value = number.value || slider.value), send());
    slider.onchange = () => ((number.value = Number(slider.value).toFixed(1)), send());
    free.onclick = () => ((number.value = ""), this.ask("/desire", { vehicle: this.vehicle, what: s.name }));
    return [make("span", { title: s.text }, `${s.name} (${unit})`), slider, number, free];
  }

  /** The setpoints of the vehicle's controllers, and whether each controller is engaged. */
  private orders(): void {
    const grid = make("div", { class: "controls" }),
      pilots = make("div", { class: "buttons" }),
      nothing = make("p", { class: "quiet" }, "This vehicle has no autopilot.");
    this.body.append(make("h2", {}, "Hold"), grid, nothing, pilots);
    this.stops.push(
      this.link.listen("/setpoints", (m: Setpoints) => {
        const of = m.vehicles?.[this.vehicle!];
        if (!of || grid.contains(document.activeElement)) return;
        const last = new Map(of.setpoints.map((s) => [s.name, s])); // for equal names the last part counts
        grid.replaceChildren(...[...last.values()].flatMap((s) => this.setpoint(s)));
        nothing.hidden = last.size > 0;
        if (of.controllers.length) nothing.textContent = "The controllers of this vehicle have no setpoints.";
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
              this.ask(c.engaged ? "/disengage" : "/engage", { vehicle: this.vehicle, controller: c.name });
            return button;
          }),
        );
      }),
    );
    if (this.link.byTopic.has(`${this.link.home(this.vehicle!)}/waypoints`)) this.route();
    this.drive();
    this.population();
  }

  private route(): void {
    const rows = make("table", { class: "rows route", "aria-label": "Waypoints" }),
      clear = make("button", {}, "Clear"),
      add = make("button", {}, "Add");
    const fill = () => {
      if (rows.contains(document.activeElement)) return;
      const list = this.waypoints.of(this.vehicle);
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
            this.waypoints.move(this.vehicle!, i, w.position);
          };
          row.append(make("td", {}, number));
        });
        rows.append(row);
      });
      clear.disabled = !list.length;
    };
    clear.onclick = () => this.waypoints.removeAll(this.vehicle!);
    add.onclick = () => {
      const v = this.fleet.vehicles.get(this.vehicle!)!,
        last = this.waypoints.of(this.vehicle).at(-1)?.position ?? [v.now.p[1], v.now.p[0], Math.max(0, v.depth)];
      this.waypoints.add(this.vehicle!, [
        last[0] + 10 * Math.cos(v.heading),
        last[1] + 10 * Math.sin(v.heading),
        last[2],
      ]);
    };
    this.stops.push(this.waypoints.watch(fill));
    fill();
    const text = make(
      "p",
      { class: "quiet" },
      "Double-click the map to add a waypoint at the vehicle's depth; drag a waypoint to move it.",
    );
    this.body.append(make("h2", {}, "Waypoints"), rows, make("div", { class: "buttons" }, add, clear), text);
  }

  private population(): void {
    const remove = make("button", {}, `Remove ${this.vehicle}`),
      twin = make("button", {}, "Spawn another");
    remove.onclick = () => this.ask("/remove", { name: this.vehicle });
    twin.onclick = () => {
      const v = this.fleet.vehicles.get(this.vehicle!)!;
      let n = 2;
      while (this.fleet.vehicles.has(`${this.vehicle}-${n}`)) n++;
      this.ask("/spawn", {
        name: `${this.vehicle}-${n}`,
        like: this.vehicle,
        position: [v.now.p[1] + 3, v.now.p[0] + 3, Math.max(0, v.depth)],
        heading: v.heading,
      });
    };
    this.body.append(make("h2", {}, "Vehicles"), make("div", { class: "buttons" }, twin, remove));
  }

  /** Sliders for the actuators; /scene defines the range of each order. */
  private drive(): void {
    const holder = make("div", { class: "controls", style: "grid-template-columns: 1fr auto auto" }),
      free = make("button", { "aria-label": "Release actuators" }, "Release all");
    const owners: HTMLElement[] = [];
    free.onclick = () => this.ask("/release", { vehicle: this.vehicle });
    this.body.append(make("h2", {}, "Actuators"), holder, make("div", { class: "buttons" }, free));
    const stop = this.link.listen(`${this.link.home(this.vehicle!)}/actuators`, (m: ActuatorState) => {
      owners.forEach((o, i) => o.textContent !== m.owners[i] && (o.textContent = m.owners[i] ?? ""));
      if (holder.children.length) return;
      const known = this.actuatorsOf.of(this.vehicle),
        deepest = Math.max(30, 2 * (this.fleet.vehicles.get(this.vehicle!)?.depth ?? 0));
      m.names.forEach((name, i) => {
        const unit = m.units[i],
          a = known.find((one) => one.name === name);
        if (!a) return;
        const slider = make("input", {
          type: "range",
          min: String(a.low),
          max: String(a.kind === "order" && unit === "m" ? Math.min(a.high, deepest) : a.high),
          step: "any",
          "aria-label": `Order ${name}`,
        });
        slider.value = String(m.orders[i]);
        const value = make("span", { class: "quiet" }, show(m.orders[i], unit));
        slider.oninput = () => {
          value.textContent = show(Number(slider.value), unit);
          this.ask("/order", { vehicle: this.vehicle, actuator: name, value: Number(slider.value) });
        };
        owners[i] = make(
          "span",
          { class: "quiet", "aria-label": `Owner of ${name}`, title: "source of the current order" },
          m.owners?.[i] ?? "",
        );
        holder.append(make("label", {}, name, slider), value, owners[i]);
      });
    });
    this.stops.push(stop);
  }

  // --- faults --------------------------------------------------------------------------------------------------------

  private faults(): void {
    const rows = [...this.params.all.values()].filter(
      (p) => p.live && p.path.startsWith(`/${this.vehicle}/`) && (/^fault/.test(p.text) || /\/fault$/.test(p.path)),
    );
    const parts = new Map<string, typeof rows>();
    for (const p of rows) {
      const part = p.path.split("/").slice(2, -1).join("/");
      if (!parts.has(part)) parts.set(part, []);
      parts.get(part)!.push(p);
    }
    for (const [part, list] of parts) {
      const line = make("div", { class: "line" }, make("span", { class: "path" }, part));
      for (const p of list) {
        const kind = p.path.slice(p.path.lastIndexOf("/") + 1),
          on = kind === "efficiency" ? Number(p.value) < 1 : Number(p.value) !== 0;
        const button = make(
          "button",
          {
            "aria-pressed": String(on),
            "aria-label": `${part} ${kind === "efficiency" ? "dead" : kind}`,
            title: p.text,
          },
          kind === "efficiency" ? "dead" : kind,
        );
        button.onclick = () => {
          const now = button.getAttribute("aria-pressed") !== "true";
          button.setAttribute("aria-pressed", String(now));
          this.params.set(p.path, kind === "efficiency" ? (now ? 0 : 1) : now ? 1 : 0);
        };
        line.append(button);
      }
      this.body.append(make("div", { class: "param" }, line));
    }
    if (!parts.size)
      this.body.append(
        make("p", { class: "quiet" }, "No faults can be set: no part supports them, or this is a recording."),
      );
  }
}
