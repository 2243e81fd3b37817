/** Fathom's page: connects the sea, lists, panels and timeline. */
import { Actuators } from "./actuators";
import { isSecond, mergeScenes, twinOf } from "./compare";
import { by, make, toast } from "./dom";
import { Capture } from "./capture";
import { Choices } from "./choices";
import { Drive } from "./drive";
import { Fleet } from "./fleet";
import { Link, type Channel } from "./link";
import { Detail, tabs, type Tab } from "./panels/detail";
import { NoseCamera } from "./panels/nosecam";
import {
  Sound,
  type ActuatorState,
  type CurrentField,
  type Event as EventMessage,
  type JointState,
  type Odometry,
  type PoseWithCovarianceStamped,
  type ProjectedSonarImage,
  type Range,
  type Scene,
  type Tethers,
} from "./messages";
import type { Note, Run, Timeline as TimelineMarks } from "./protocol";
import { Overlays } from "./overlay";
import { Params } from "./params";
import type { Picture } from "./sea/picture";
import { Sea, type CameraMode, type FirstView, type Layers } from "./sea/sea";
import { clockText, fixed } from "./series";
import { Timeline } from "./timeline";
import { Waypoints } from "./waypoints";

const token = new URLSearchParams(location.search).get("token");
const link = new Link(
  `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/${token ? `?token=${encodeURIComponent(token)}` : ""}`,
);
const fleet = new Fleet(link);
const params = new Params(link);
const pictures: Picture[] = ["auto", "full", "fast"],
  pictureOf = (text: string | null) => pictures.find((p) => p === text) ?? "auto";
const sea = new Sea(
  by<HTMLCanvasElement>("sea"),
  by("labels"),
  fleet,
  pictureOf(new URLSearchParams(location.hash.slice(1)).get("picture")),
);
const timeline = new Timeline(by<HTMLCanvasElement>("timeline"));
const waypoints = new Waypoints(by<SVGSVGElement>("waypoints"), link, sea, fleet);
const actuators = new Actuators();
const drive = new Drive(link, fleet, actuators);
const noseCamera = new NoseCamera(sea, fleet);
const overlays = new Overlays(link, fleet);
const sizeOf = (vehicle: string) => sea.craft(vehicle)?.size ?? 0.5;
const detail = new Detail(by("panel"), link, fleet, params, waypoints, noseCamera, overlays, actuators, sizeOf);
const floats: Detail[] = [];
const capture = new Capture(sea);
const choices = new Choices(link, (service, request) => ask(service, request));
let recording = false,
  state = "running",
  worldTime: number | null = null, // s, of a live run
  speed = 1,
  factor = 0,
  listStale = true,
  wish: URLSearchParams;

sea.overlays = overlays.all;
sea.alsoFrame = () => waypoints.of(sea.selected).map((w) => w.position as [number, number, number]);
sea.onReturn = () => setCamera("follow");
sea.finned = (name) => link.byTopic.has(`${link.home(name)}/joints`);

// --- the view in the address -----------------------------------------------------------------------------------------

const panels = ["left", "right", "foot"];

function readAddress(): void {
  wish = new URLSearchParams(location.hash.slice(1));
  if (wish.get("theme")) {
    document.documentElement.dataset.theme = wish.get("theme")!;
    themeChosen = true;
  }
  for (const name of panels)
    document.body.classList.toggle(`no-${name}`, wish.get("hide")?.split(",").includes(name) ?? false);
  const layers = wish.get("layers")?.split(",");
  if (layers) for (const name of Object.keys(sea.layers) as (keyof Layers)[]) sea.layers[name] = layers.includes(name);
}

/** Restores vehicle, panel and camera from a link. */
function applyAddress(): void {
  const name = wish.get("vehicle"),
    tab = tabs.find((t) => t === wish.get("tab"));
  const first =
    [name, firstView?.follow].find((n) => n && fleet.vehicles.has(n)) ??
    [...fleet.vehicles.values()].find((v) => !isSecond(v.name) && !v.isBuoy)?.name ??
    [...fleet.vehicles.keys()][0] ??
    null;
  if (first) select(first, tab ?? detail.tab);
  const mode = wish.get("camera") as CameraMode | null,
    numbers = (key: string, n: number) => {
      const list = wish.get(key)?.split(",").map(Number) ?? [];
      return list.length === n && list.every(Number.isFinite) ? list : null;
    };
  const eye = numbers("eye", 6),
    from = numbers("from", 3),
    v = fleet.vehicles.get(first ?? "");
  if (eye || from) sea.frame();
  if (mode) setCamera(mode);
  else if (!eye && first) beginView();
  if (eye && mode !== "follow") {
    sea.camera.position.set(eye[0], eye[1], eye[2]);
    sea.controls.target.set(eye[3], eye[4], eye[5]);
    if (mode === "fly") sea.camera.lookAt(sea.controls.target);
  }
  if (from && mode === "follow" && v)
    sea.camera.position.copy(sea.controls.target).add({ x: from[0], y: from[1], z: from[2] });
}

/** The view that the scenario asks for; otherwise near the selected vehicle. */
function beginView(): void {
  sea.views.begin(firstView ?? { camera: "follow" });
  by<HTMLSelectElement>("camera").value = sea.mode;
}

function writeAddress(): void {
  const p = new URLSearchParams(),
    list = (v: number[]) => v.map((x) => x.toFixed(2)).join(",");
  if (sea.selected) p.set("vehicle", sea.selected);
  p.set("camera", sea.mode);
  p.set("tab", detail.tab);
  if (recording) p.set("t", timeline.now.toFixed(1));
  if (themeChosen) p.set("theme", document.documentElement.dataset.theme!);
  const hidden = panels.filter((name) => document.body.classList.contains(`no-${name}`));
  if (hidden.length) p.set("hide", hidden.join(","));
  const shown = Object.entries(sea.layers)
    .filter(([, on]) => on)
    .map(([name]) => name);
  if (layersMoved) p.set("layers", shown.join(","));
  if (sea.pace.wish !== "auto") p.set("picture", sea.pace.wish);
  const c = sea.camera.position,
    g = sea.controls.target;
  if (sea.mode === "follow") p.set("from", list([c.x - g.x, c.y - g.y, c.z - g.z]));
  else if (sea.mode !== "eyes") p.set("eye", list([c.x, c.y, c.z, g.x, g.y, g.z]));
  history.replaceState(null, "", `#${p}`);
}
let layersMoved = false;
let themeChosen = false; // by the user or a link; otherwise by the system
let firstView: FirstView | null = null;

// --- selecting -------------------------------------------------------------------------------------------------------

function select(name: string | null, tab?: Tab): void {
  if (name && !fleet.vehicles.has(name)) return;
  sea.selected = name;
  const v = fleet.vehicles.get(name ?? "");
  by("name").textContent = name ?? "no vehicle";
  by("model").textContent = v?.model ?? "";
  by("dot").style.setProperty("--c", v?.colour ?? "");
  detail.open(name, tab);
  if (sea.mode !== "orbit" && sea.mode !== "map") sea.setMode(sea.mode);
  markList();
  markTabs();
  followSenses();
  drive.refresh();
}

const listMost = 200;
let listed = -1;

function markList(): void {
  for (const b of by("vehicles").querySelectorAll("button"))
    b.setAttribute("aria-current", String(b.dataset.name === sea.selected));
}

function buildList(): void {
  const list = by("vehicles"),
    word = by<HTMLInputElement>("find-vehicle").value.toLowerCase();
  by("find-vehicle").hidden = fleet.vehicles.size < 12;
  list.replaceChildren();
  let n = 0,
    more = 0;
  for (const v of fleet.vehicles.values()) {
    if (word && !v.name.toLowerCase().includes(word)) continue;
    if (n++ >= listMost) {
      more++;
      continue;
    }
    const dot = make("i"),
      b = make(
        "button",
        { "data-name": v.name },
        dot,
        make("span", { class: "name" }, v.name),
        make("span", { class: "num" }),
      );
    dot.style.setProperty("--c", v.colour);
    b.onclick = () => select(v.name);
    b.ondblclick = () => setCamera("follow");
    list.append(make("li", { role: "listitem" }, b));
  }
  by("more").textContent = more ? `and ${more} more: search by name` : "";
  listStale = false;
  listed = fleet.vehicles.size;
  markList();
}

function buildTabs(): void {
  for (const tab of tabs) {
    const b = make("button", { role: "tab", "data-tab": tab }, tab);
    b.onclick = () => (detail.open(sea.selected, tab), markTabs());
    by("tabs").append(b);
  }
}

function markTabs(): void {
  by("panel").setAttribute("aria-label", detail.tab);
  for (const b of by("tabs").children)
    b.setAttribute("aria-selected", String((b as HTMLElement).dataset.tab === detail.tab));
}

// --- data other than positions ---------------------------------------------------------------------------------------

const jointStops = new Map<string, () => void>();

/** Subscribes to joints and actuators of the vehicles drawn with moving parts: of all, or only the near ones. */
function followParts(): void {
  const near = fleet.vehicles.size > 60 ? new Set([...sea.nearest(), sea.selected]) : null;
  for (const [name, stop] of jointStops)
    if (!fleet.vehicles.has(name) || (near && !near.has(name))) {
      stop();
      jointStops.delete(name);
    }
  for (const name of near ?? fleet.vehicles.keys()) {
    if (!name || jointStops.has(name)) continue;
    const a = link.listen(`${link.home(name)}/joints`, (m: JointState) =>
      sea.craft(name)?.takeJoints(m.name, m.position),
    );
    const b = link.listen(`${link.home(name)}/actuators`, (m: ActuatorState) =>
      sea.craft(name)?.takeActuators(m.names, m.values),
    );
    jointStops.set(name, () => (a(), b()));
  }
}

let senseStops: (() => void)[] = [];

/** Subscribes to the ranges and estimates drawn in the sea: of all vehicles if they are few, otherwise of the selected one. */
function followSenses(): void {
  senseStops.forEach((stop) => stop());
  senseStops = [];
  for (const c of link.channels.values()) {
    const name = c.topic.split("/")[1];
    if (fleet.vehicles.size > 4 && name !== sea.selected) continue;
    if (/\/Range$/.test(c.schemaName))
      senseStops.push(link.listen(c.topic, (m: Range) => sea.fan(c.topic)?.takeRange(m.range)));
    if (/\/ProjectedSonarImage$/.test(c.schemaName))
      senseStops.push(link.listen(c.topic, (m: ProjectedSonarImage) => sea.takeSonar(c.topic, m)));
    if (
      /Odometry$|PoseWithCovarianceStamped$/.test(c.schemaName) &&
      !c.topic.endsWith("/odom") &&
      fleet.vehicles.has(name)
    )
      senseStops.push(
        link.listen(c.topic, (m: Odometry | PoseWithCovarianceStamped) =>
          sea.ghost(name, fleet.vehicles.get(name)?.colour ?? "#fff", m),
        ),
      );
  }
}

let scenes: [Scene | null, Scene | null] = [null, null];
link.listen("/scene", (m: Scene) => takeScene((scenes[0] = m)));
link.listen("/compare/scene", (m: Scene) => ((scenes[1] = m), scenes[0] && takeScene(scenes[0])));

function takeScene(first: Scene): void {
  const m = mergeScenes(first, scenes[1]),
    names = new Set(m.shapes.map((s) => s.frame.split("/")[0]));
  names.delete("map");
  fleet.arrange([...names]);
  sea.takeScene(m);
  actuators.takeScene(m);
  if (fleet.vehicles.size && names.size) fleet.prune(new Set([...fleet.vehicles.keys()].filter((n) => names.has(n))));
  listStale = true;
  if (sea.selected) by("model").textContent = fleet.vehicles.get(sea.selected)?.model ?? "";
}
link.listen("/events", (m: EventMessage, time) => {
  if (!recording) timeline.add({ time, kind: m.kind, text: m.text, vehicle: m.vehicle });
  const v = fleet.vehicles.get(m.vehicle);
  if (v && /contact/.test(m.kind)) sea.flashes.flash(v.p, 1.4 * (sea.craft(v.name)?.size ?? 0.4));
});
link.listen("/current", (m: CurrentField) => sea.takeCurrent(m));
link.listen("/tethers", (m: Tethers) => sea.tethers.take(m));
link.listen("/timeline", (m: TimelineMarks) => timeline.set(m.events));
link.listen("/acoustics/emissions", (m: Sound) => {
  if (m.event !== Sound.SENT) return;
  if (!recording) timeline.add({ time: m.time, kind: "ping", text: "", vehicle: m.vehicle });
  const colour = fleet.vehicles.get(m.vehicle)?.colour ?? "#c7a4ff";
  sea.fronts.emit(m.sent || m.time, [m.origin.x, m.origin.y, m.origin.z], colour);
});
link.listen("/run", (m: Run) => {
  state = m.state;
  worldTime = recording ? null : (m.time ?? null);
  by("waiting").hidden = state !== "waiting";
  by("waiting").textContent = `The run waits for the software that controls it. ${m.told ?? ""}`;
  speed = m.speed;
  factor = m.factor;
  sea.paused = state === "paused" || state === "ended" || state === "over";
  by("start").classList.toggle("on", !sea.paused);
  by("pause").classList.toggle("on", sea.paused);
  const box = by<HTMLSelectElement>("speed");
  if (document.activeElement !== box) {
    if (![...box.options].some((o) => Number(o.value) === speed))
      box.append(make("option", { value: String(speed) }, String(speed)));
    box.value = String(speed);
  }
  if (m.failure) toast(m.failure, true);
  if (m.state === "ended" && by("loop").getAttribute("aria-pressed") === "true")
    link.play(true, speed || 1, timeline.start);
});

link.listen("/notes", (m: Note, time) => time > sea.time - 5 && toast(m.text, m.level === 2));

link.onState = (connected) => {
  by("link").textContent = connected ? "connected" : "connection lost, reconnecting …";
  by("link").classList.toggle("lost", !connected);
  by("view").classList.toggle("lost", !connected && fleet.vehicles.size > 0);
};
/** The first sentence of the scenario's comment (not its first abbreviation) if it fits on a line, otherwise its title. */
function oneLine(about: string, title: string): string {
  const sentence = /^.*?(?<!\b(?:[A-Z]|Figs?|Eqs?|Sec|e\.g|i\.e))[.](?=\s|$)/.exec(about)?.[0] ?? about;
  return sentence && sentence.length <= 130 ? sentence : title || sentence;
}
let beside: string | undefined; // the second recording of a comparison
link.onInfo = (info, again) => {
  recording = info.metadata.mode === "recording";
  by("drive").hidden = by("again").hidden = recording;
  const other = info.metadata.compare,
    file = (path: string) => path.replace(/^.*\//, "");
  by("title").textContent = other
    ? `${file(info.metadata.file)} and ${file(other)}${twinOf("")}`
    : info.metadata.title || info.metadata.scenario || "";
  by("title").title = by("title").textContent;
  try {
    firstView = info.metadata.view ? (JSON.parse(info.metadata.view) as FirstView) : null;
  } catch {
    firstView = null; // of a program that knows other views
  }
  by("about").textContent = oneLine(info.metadata.about ?? "", info.metadata.title ?? "");
  by("about").title = info.metadata.about || "";
  by("loop").hidden = !recording;
  document.title = `Fathom · ${info.metadata.title || info.metadata.scenario || ""}`;
  timeline.start = info.dataStartTime ? info.dataStartTime.sec + 1e-9 * info.dataStartTime.nsec : 0;
  timeline.end = info.dataEndTime ? info.dataEndTime.sec + 1e-9 * info.dataEndTime.nsec : 0;
  if (!again) {
    if (fleet.vehicles.size) {
      // another run: the view stays as it was
      writeAddress();
      wish = new URLSearchParams(location.hash.slice(1));
      wish.delete("t");
      wish.delete("eye");
    }
    sea.selected = null;
    scenes = [null, null];
    fleet.clear();
    sea.clear();
    overlays.clear();
    params.clear();
    waypoints.clear();
    timeline.marks = [];
  } else if (other !== beside) {
    // the first recording stays as it is
    scenes[1] = null;
    fleet.prune(new Set([...fleet.vehicles.keys()].filter((name) => !isSecond(name))));
  }
  beside = other;
  jointStops.forEach((stop) => stop());
  jointStops.clear();
  if (recording && wish.get("t")) link.play(false, 1, Number(wish.get("t")));
  listStale = true;
};
let channelsCame: ReturnType<typeof setTimeout>;
const channelsChanged: string[] = [];
link.onChannels = (changed: Channel[]) => {
  if (!changed.length) return;
  channelsChanged.push(...changed.map((c) => c.topic));
  clearTimeout(channelsCame); // they arrive in many messages
  channelsCame = setTimeout(() => {
    const ours = (topic: string) =>
      topic.split("/").length === 2 ||
      topic.startsWith(`${link.home(detail.vehicle!)}/`) ||
      topic.startsWith(`/overlay/${detail.vehicle}/`);
    overlays.follow();
    followSenses();
    if (detail.vehicle && channelsChanged.some(ours)) detail.build(); // a vehicle that is added or removed does not change it
    channelsChanged.length = 0;
  }, 50);
};
link.onServices = () => {
  if (link.has("/scenarios")) void choices.scenarios();
  by("compare-box").hidden = !link.has("/recordings");
  if (link.has("/recordings")) void choices.recordings();
};
link.onTime = (time) => {
  if (time < sea.time - 1e-6) sea.hits.clear();
  sea.time = time;
  timeline.now = time;
};
link.onStatus = (level, message) => toast(message, level === 2);
params.onChange = (path) => {
  if (path === "/water/sound/speed" || path === "/water/sound_speed") sea.soundSpeed = params.number(path) || 1500;
};
params.onList = () => detail.tab === "Params" && detail.build();

// --- controls --------------------------------------------------------------------------------------------------------

function ask(service: string, request: object = {}): void {
  link.call(service, request).catch((e: Error) => toast(e.message, true));
}
const start = () => (recording ? link.play(true, speed || 1) : ask("/start"));
const pause = () => (recording ? link.play(false, speed || 1) : ask("/pause"));
const step = () =>
  recording
    ? link.play(false, speed || 1, timeline.now + 0.1)
    : link.has("/frame")
      ? ask("/frame")
      : ask("/step", { steps: 1 });
const reset = () => (recording ? link.play(false, speed || 1, timeline.start) : ask("/reset"));
const again = () => ask("/again");
timeline.onMark = (time) => {
  sea.moment = time;
  showMoment(time);
};
timeline.onSeek = (time) =>
  link.play(state === "playing", speed || 1, Math.min(timeline.end, Math.max(timeline.start, time)));

function setSpeed(x: number): void {
  speed = x;
  if (recording) link.play(state === "playing", x || 1);
  else ask("/speed", { speed: x });
}

function setCamera(mode: CameraMode): void {
  by<HTMLSelectElement>("camera").value = mode;
  sea.setMode(mode);
}

/** Everything in view; from a camera that follows or flies, by the orbit camera. */
function frameAll(): void {
  if (sea.mode !== "map" && sea.mode !== "orbit") setCamera("orbit");
  sea.frame();
}

function copyLink(): void {
  writeAddress();
  const inBar = () => toast("the address bar contains the link to this view");
  navigator.clipboard ? navigator.clipboard.writeText(location.href).then(() => toast("link copied"), inBar) : inBar();
}

function toggleTheme(): void {
  const root = document.documentElement;
  root.dataset.theme = root.dataset.theme === "light" ? "dark" : "light";
  themeChosen = true;
}

function tearOff(): void {
  if (!sea.selected) return;
  const body = make("div", { class: "body" }),
    close = make("button", { "aria-label": `Close ${sea.selected} ${detail.tab}` }, "×");
  const grip = make("div", { class: "grip" }, make("b", {}, `${sea.selected} · ${detail.tab}`), close);
  const win = make(
    "div",
    { class: "float", role: "dialog", "aria-label": `${sea.selected} ${detail.tab}` },
    grip,
    body,
  );
  win.style.left = `${16 + 24 * floats.length}px`;
  win.style.top = `${60 + 24 * floats.length}px`;
  by("floats").append(win);
  const own = new Detail(body, link, fleet, params, waypoints, noseCamera, overlays, actuators, sizeOf);
  own.open(sea.selected, detail.tab);
  floats.push(own);
  close.onclick = () => {
    own.close();
    floats.splice(floats.indexOf(own), 1);
    win.remove();
  };
  grip.onpointerdown = (e) => {
    if (e.target === close) return;
    const x = e.clientX - win.offsetLeft,
      y = e.clientY - win.offsetTop;
    grip.setPointerCapture(e.pointerId);
    grip.onpointermove = (m) => ((win.style.left = `${m.clientX - x}px`), (win.style.top = `${m.clientY - y}px`));
    grip.onpointerup = () => (grip.onpointermove = null);
  };
}

const shortcuts: [string, string, string, () => void][] = [
  [
    "d",
    "D",
    "drive the vehicle: arrow keys, + and −",
    () => (recording ? toast("a recording cannot be driven") : drive.toggle()),
  ],
  [" ", "space", "start or pause", () => (sea.paused ? start() : pause())],
  [".", ".", "one step", step],
  ["r", "R", "reset", reset],
  ["p", "P", "screenshot", () => capture.screenshot()],
  ["v", "V", "video", () => capture.toggleFilm()],
  ["o", "O", "orbit camera", () => (setCamera("orbit"), sea.frame())],
  ["a", "A", "all: frame everything that is there", frameAll],
  ["c", "C", "follow the vehicle", () => setCamera("follow")],
  ["m", "M", "map, north up", () => setCamera("map")],
  ["y", "Y", "fly: W A S D E Q and arrows", () => setCamera("fly")],
  ["i", "I", "onboard cameras", () => setCamera("eyes")],
  ["n", "N", "next vehicle", () => nextVehicle(1)],
  ["b", "B", "previous vehicle", () => nextVehicle(-1)],
  ["1", "1", "hide or show the left panel", () => document.body.classList.toggle("no-left")],
  ["2", "2", "hide or show the right panel", () => document.body.classList.toggle("no-right")],
  ["3", "3", "hide or show the timeline", () => document.body.classList.toggle("no-foot")],
  ["w", "W", "open the panel in a separate window", tearOff],
  ["k", "K", "knots or metres per second", () => [detail, ...floats].forEach((d) => (d.knots = !d.knots))],
  ["t", "T", "light or dark", toggleTheme],
  ["f", "F", "frame rate", () => (by("fps").hidden = !by("fps").hidden)],
  ["l", "L", "copy a link to this view", copyLink],
  ["?", "?", "show these shortcuts", () => by<HTMLDialogElement>("keys").showModal()],
];

const moreKeys = [
  ["Alt", "with arrows, + and −: drive while driving is off"],
  ["gamepad", "left stick turns and dives, triggers change the speed"],
  ["double-click", "on the map: a waypoint; drag it to move it"],
  ["arrows", "on a waypoint: move it by a metre; Page ↑ ↓ its depth"],
];

function nextVehicle(by_: number): void {
  const names = [...fleet.vehicles.keys()];
  if (names.length) select(names[(names.indexOf(sea.selected ?? "") + by_ + names.length) % names.length]);
}

function wire(): void {
  matchMedia("(prefers-color-scheme: light)").addEventListener("change", (e) => {
    if (!themeChosen) document.documentElement.dataset.theme = e.matches ? "light" : "dark";
  });
  by("start").onclick = start;
  by("pause").onclick = pause;
  by("step").onclick = step;
  by("reset").onclick = reset;
  by("again").onclick = again;
  by("shot").onclick = () => capture.screenshot();
  by("film").onclick = () => capture.toggleFilm();
  by("theme").onclick = toggleTheme;
  by("tear").onclick = tearOff;
  by("loop").onclick = () =>
    by("loop").setAttribute("aria-pressed", String(by("loop").getAttribute("aria-pressed") !== "true"));
  by("drive").onclick = () => drive.toggle();
  drive.vehicle = () => sea.selected;
  drive.onFail = waypoints.onFail = (e) => toast(e.message, true);
  document.addEventListener("visibilitychange", () => link.hide(document.hidden));
  by("copy").onclick = copyLink;
  by("all").onclick = frameAll;
  by("help").onclick = () => by<HTMLDialogElement>("keys").showModal();
  const box = by<HTMLSelectElement>("speed");
  for (const x of [0.01, 0.1, 0.25, 0.5, 1, 2, 5, 10, 50]) box.append(make("option", { value: String(x) }, String(x)));
  box.append(make("option", { value: "0" }, "max"));
  box.value = "1";
  box.onchange = () => setSpeed(Number(box.value));
  by<HTMLSelectElement>("camera").onchange = (e) => setCamera((e.target as HTMLSelectElement).value as CameraMode);
  by("find-vehicle").oninput = buildList;
  const picture = by<HTMLSelectElement>("picture");
  picture.onchange = () => setPicture(pictureOf(picture.value));
  picture.value = sea.pace.wish;
  by("coarse").onclick = () => setPicture("full");
  for (const name of Object.keys(sea.layers) as (keyof Layers)[]) {
    const check = make("input", { type: "checkbox" });
    check.checked = sea.layers[name];
    check.onchange = () => ((layersMoved = true), (sea.layers[name] = check.checked));
    by("layers").append(make("label", {}, check, name));
  }
  addEventListener("dragover", (e) => e.dataTransfer?.types.includes("Files") && e.preventDefault());
  addEventListener("drop", (e) => choices.drop(e));
  sea.onPick = (name) => name && select(name);
  sea.canvas.addEventListener("dblclick", (e) => {
    const v = fleet.vehicles.get(sea.selected ?? ""),
      p = v && sea.pointAt(e.clientX, e.clientY, v.depth);
    if (v && p && sea.mode === "map" && !recording) waypoints.add(v.name, [p[0], p[1], Math.max(0, v.depth)]);
  });
  const keys = by<HTMLDialogElement>("keys"),
    list = make("dl");
  for (const [key, text] of [...shortcuts.map(([, key, text]) => [key, text]), ...moreKeys])
    list.append(make("div", {}, make("dt", {}, make("kbd", {}, key)), make("dd", {}, text)));
  const close = make("button", {}, "Close");
  close.onclick = () => keys.close();
  keys.append(make("h1", {}, "Keys"), list, close);
  addEventListener(
    "keydown",
    (e) => {
      const t = e.target as HTMLElement;
      if (
        /INPUT|SELECT|TEXTAREA/.test(t.tagName) &&
        (t as HTMLInputElement).type !== "range" &&
        (t as HTMLInputElement).type !== "checkbox"
      )
        return;
      if (keys.open || e.ctrlKey || e.metaKey) return;
      if (!recording && t.tagName !== "INPUT" && drive.key(e)) {
        e.stopPropagation();
        return e.preventDefault();
      }
      const found = shortcuts.find(([key]) => key === e.key.toLowerCase());
      if (
        !found ||
        e.altKey ||
        (t.tagName === "BUTTON" && e.key === " ") ||
        (sea.mode === "fly" && /^[wasdeq]$/i.test(e.key))
      )
        return;
      found[3]();
      e.preventDefault();
    },
    { capture: true },
  );
  for (const b of by("folds").querySelectorAll("button"))
    b.onclick = () => {
      document.body.dataset.fold = b.dataset.fold;
      for (const o of by("folds").querySelectorAll("button")) o.setAttribute("aria-selected", String(o === b));
    };
  document.body.dataset.fold = "sea";
  addEventListener("hashchange", () => {
    readAddress();
    applyAddress();
    if (recording && wish.get("t")) link.play(false, speed || 1, Number(wish.get("t")));
  });
}

function buildCompass(): void {
  const svg = by<SVGSVGElement>("compass");
  let marks = "";
  for (let a = 0; a < 360; a += 30)
    marks += `<line x1="0" y1="-44" x2="0" y2="${a % 90 ? -40 : -37}" transform="rotate(${a})" stroke="#fff" stroke-opacity=".8"/>`;
  const word = (t: string, a: number) =>
    `<text transform="rotate(${a}) translate(0 -26)" text-anchor="middle" font-size="12" font-weight="600" fill="${t === "N" ? "#ff6f61" : "#fff"}">${t}</text>`;
  svg.innerHTML = `<circle r="47" fill="#04162390" stroke="#ffffff40"/><g id="rose">${marks}${word("N", 0)}${word("E", 90)}${word("S", 180)}${word("W", 270)}</g><path id="needle" d="M0 -16 L5 10 L0 6 L-5 10 Z" fill="#4cc3ff"/>`;
}

// --- every frame -----------------------------------------------------------------------------------------------------

function tellNumbers(now: number): void {
  const s = sea.paused && worldTime !== null ? worldTime : timeline.now,
    clock = by<HTMLTimeElement>("clock"),
    text = clockText(s);
  if (clock.textContent !== text) clock.textContent = text;
  clock.dateTime = `PT${s.toFixed(3)}S`;
  by("factor").textContent = !link.connected
    ? ""
    : state === "over" || state === "ended"
      ? "ended"
      : state === "waiting"
        ? "waiting"
        : sea.paused
          ? "paused"
          : `real time × ${factor.toFixed(2)}`;
  let buoys = 0;
  for (const v of fleet.vehicles.values()) if (v.isBuoy) buoys++;
  const n = fleet.vehicles.size - buoys;
  by("count").textContent =
    `${n} vehicle${n === 1 ? "" : "s"}${buoys ? `, ${buoys} buoy${buoys === 1 ? "" : "s"}` : ""}`;
  if (!by("fps").hidden)
    by("fps").textContent =
      `${sea.frames.rate.toFixed(0)} frames/s · ${sea.frames.cost.toFixed(1)} ms · ${sea.frames.calls} calls · ${(sea.frames.triangles / 1e3).toFixed(0)} k triangles · ${(link.received.bytes / 1e6).toFixed(1)} MB`;
  if (now - depthsAt < (listed > 50 ? 500 : 0)) return;
  depthsAt = now;
  for (const b of by("vehicles").querySelectorAll<HTMLElement>("button")) {
    const v = fleet.vehicles.get(b.dataset.name!),
      text = v ? `${fixed(v.depth, 1)} m` : "";
    if (b.lastChild!.textContent !== text) b.lastChild!.textContent = text;
  }
}
let depthsAt = 0;

function settle(): void {
  if (listStale || listed !== fleet.vehicles.size) {
    buildList();
    followParts();
  }
  if (sea.ready && (!sea.selected || !fleet.vehicles.has(sea.selected))) applyAddress();
}

/** Depth, heading and speed of the selected vehicle at a marked moment, with the events nearby. */
function showMoment(time: number | null): void {
  const box = by("moment");
  box.hidden = time === null;
  if (time === null) return;
  const near = timeline.marks.filter((m) => m.kind !== "ping" && Math.abs(m.time - time) < 1.5).slice(0, 3);
  const values = detail.valuesAt(time);
  box.textContent = [
    `${sea.selected ?? ""} at ${clockText(time)}: ${values || "nothing known that far back"}`,
    ...near.map((m) => `${m.time.toFixed(2)} s ${m.vehicle}: ${m.text || m.kind}`),
  ].join(" · ");
}

let slow = 0,
  address = 0,
  partsAt = 0;
function tick(now: number): void {
  requestAnimationFrame(tick);
  if (document.hidden) return sea.pace.again();
  sea.pace.judge(now);
  drawAll(now);
}

/** Shows a note while the picture is drawn at a lower resolution. */
function tellPicture(): void {
  const { pixels } = sea.pace.step,
    box = by("coarse"),
    lowered = sea.pace.wish === "auto" && pixels < 1;
  box.hidden = !lowered;
  if (lowered)
    box.textContent = `picture at ${Math.round(100 * pixels)} % to keep the frame rate${sea.software ? " (no graphics card)" : ""}: draw at full resolution`;
}

function setPicture(wish: Picture): void {
  by<HTMLSelectElement>("picture").value = wish;
  sea.pace.set(wish);
  tellPicture();
}

function drawAll(now: number): void {
  sea.dark = document.documentElement.dataset.theme === "light" ? 1.12 : 0.92;
  noseCamera.draw(now);
  sea.draw();
  waypoints.draw();
  const rose = document.getElementById("rose");
  rose?.setAttribute("transform", `rotate(${(-sea.bearing * 180) / Math.PI})`);
  const v = fleet.vehicles.get(sea.selected ?? "");
  document
    .getElementById("needle")
    ?.setAttribute("transform", `rotate(${(((v?.heading ?? 0) - sea.bearing) * 180) / Math.PI})`);
  if (now - slow > 100) {
    slow = now;
    settle();
    tellNumbers(now);
    overlays.write(by("overlay"), sea.selected, fleet.vehicles.get(sea.selected ?? "")?.colour ?? "", timeline.now);
    timeline.draw();
    detail.update();
    floats.forEach((d) => d.update());
    if (!recording) drive.pad(now);
  }
  if (now - partsAt > 1000) {
    partsAt = now;
    if (fleet.vehicles.size > 60) followParts();
    tellPicture();
  }
  if (now - address > 3000 && fleet.vehicles.size) {
    address = now;
    writeAddress();
  }
}

window.fathom = {
  link,
  measure: (frames) => sea.measure(frames, drawAll),
  parameter: (path) => params.all.get(path)?.value,
  parameters: () => [...params.all.keys()],
  clock: clockText,
  look: (eye, target) => {
    sea.camera.position.set(...eye);
    sea.controls.target.set(...target);
  },
  state: () => ({
    time: timeline.now,
    speed,
    connected: link.connected,
    running: !sea.paused,
    fps: sea.frames.rate,
    frame: sea.frames.cost,
    draws: sea.frames.calls,
    drawn: sea.frames.drawn,
    files: sea.files,
    selected: sea.selected,
    camera: sea.mode,
    ...sea.seen(),
    eye: [...sea.camera.position.toArray(), ...sea.controls.target.toArray()],
    received: link.received,
    vehicles: [...fleet.vehicles.values()].map((v) => ({
      name: v.name,
      position: [v.now.p[1], v.now.p[0], -v.now.p[2]],
      heading: v.heading,
    })),
    overlays: [...overlays.all.values()].map((o) => ({
      vehicle: o.vehicle,
      time: o.time,
      fresh: o.fresh(timeline.now),
      track: o.track.length / 6,
      difference: Object.fromEntries(o.difference),
      position: o.ghost && [o.ghost.now.p[1], o.ghost.now.p[0], -o.ghost.now.p[2]],
      heading: o.ghost && o.ghost.heading,
    })),
  }),
};

readAddress();
buildTabs();
buildCompass();
wire();
markTabs();
link.open();
requestAnimationFrame(tick);
