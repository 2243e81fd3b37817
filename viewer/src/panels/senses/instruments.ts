/** Instruments with standard messages: a table of their readings with units, in the axes of the page: north, east, down, and
 * forward, starboard, down of the vehicle. The messages themselves are in those of ROS: east, north, up and forward, port, up. */
import { make } from "../../dom";
import { eulerOf } from "../../fleet";
import type {
  BatteryState,
  BeaconRange,
  Bearing,
  Ctd,
  CurrentProfile,
  Dvl,
  FluidPressure,
  Imu,
  MagneticField,
  Measurement,
  ModemMessage,
  NavSatFix,
  Odometry,
  PoseWithCovarianceStamped,
  Quaternion,
  Temperature,
  TwistStamped,
  Vector3,
} from "../../messages";
import { humanUnit, show } from "../../series";
import type { Sense } from "./common";

type Row = [name: string, value: string];

/** A value in the units that people use. */
const put = (value: number, unit: string): string => show(...humanUnit(value, unit));

const body = (v: Vector3, unit: string): Row[] => [
  ["forward", put(v.x, unit)],
  ["starboard", put(-v.y, unit)],
  ["down", put(-v.z, unit)],
];
const world = (v: Vector3, unit: string): Row[] => [
  ["north", put(v.y, unit)],
  ["east", put(v.x, unit)],
  ["down", put(-v.z, unit)],
];
const turning = (v: Vector3): Row[] => [
  ["roll rate", put(v.x, "rad/s")],
  ["pitch rate", put(-v.y, "rad/s")],
  ["yaw rate", put(-v.z, "rad/s")],
];
function attitude(q: Quaternion): Row[] {
  const [roll, pitch, heading] = eulerOf([q.x, q.y, q.z, q.w]);
  return [
    ["roll", put(roll, "rad")],
    ["pitch", put(pitch, "rad")],
    ["heading", put(heading, "rad")],
  ];
}
/** What an Imu knows: −1 marks what it does not measure; the roll and pitch of a compass may be anything, π²/3 rad². */
function orientation(m: Imu): Row[] {
  const c = m.orientation_covariance;
  if (c[0] < 0) return [];
  return attitude(m.orientation).slice(c[0] > 3 ? 2 : 0);
}
const spread = (covariance: ArrayLike<number>, at: number, unit: string): string =>
  covariance[at] > 0 ? ` ± ${put(Math.sqrt(covariance[at]), unit)}` : "";
const under = (name: string, rows: Row[]): Row[] => rows.map(([row, value]) => [`${name} ${row}`, value]);
const latitude = (v: number, plus: string, minus: string) => `${Math.abs(v).toFixed(6)}° ${v < 0 ? minus : plus}`;

function pose(m: PoseWithCovarianceStamped | Odometry): Row[] {
  const { position: p, orientation: q } = m.pose.pose,
    c = m.pose.covariance;
  return [
    ["north", put(p.y, "m") + spread(c, 7, "m")],
    ["east", put(p.x, "m") + spread(c, 0, "m")],
    ["depth", put(-p.z, "m") + spread(c, 14, "m")],
    ...(q.w || q.x || q.y || q.z ? attitude(q) : []),
  ];
}

const readings: Record<string, (m: never) => Row[]> = {
  Dvl: (m: Dvl) => [
    ...under("velocity", body(m.velocity, "m/s")),
    ["altitude", put(m.altitude, "m")],
    ["speed over ground", put(m.speed_gnd, "m/s")],
    ["beams with an echo", String(m.num_good_beams)],
    ...[...m.range].map((r, i): Row => [`range of beam ${i + 1}`, put(r, "m")]),
  ],
  Imu: (m: Imu) => [
    ...orientation(m),
    ...(m.angular_velocity_covariance[0] < 0 ? [] : turning(m.angular_velocity)),
    ...(m.linear_acceleration_covariance[0] < 0 ? [] : under("acceleration", body(m.linear_acceleration, "m/s2"))),
  ],
  MagneticField: (m: MagneticField) => under("field", body(m.magnetic_field, "T")),
  FluidPressure: (m: FluidPressure) => [["pressure", put(m.fluid_pressure, "Pa")]],
  Temperature: (m: Temperature) => [["temperature", put(m.temperature, "degC")]],
  NavSatFix: (m: NavSatFix) => [
    ["latitude", latitude(m.latitude, "N", "S")],
    ["longitude", latitude(m.longitude, "E", "W")],
    ["height", put(m.altitude, "m")],
  ],
  Odometry: (m: Odometry) => [
    ...pose(m),
    ...under("velocity", body(m.twist.twist.linear, "m/s")),
    ...turning(m.twist.twist.angular),
  ],
  PoseWithCovarianceStamped: pose,
  TwistStamped: (m: TwistStamped) => [...under("velocity", body(m.twist.linear, "m/s")), ...turning(m.twist.angular)],
  BatteryState: (m: BatteryState) => [
    ["charge left", Number.isFinite(m.percentage) ? `${(100 * m.percentage).toFixed(1)} %` : "–"],
    ["voltage", put(m.voltage, "V")],
    ["current", put(m.current, "A")],
  ],
  Measurement: (m: Measurement) => [[m.quantity || "value", put(m.value, m.unit)]],
  Ctd: (m: Ctd) => [
    ["conductivity", put(m.conductivity, "S/m")],
    ["temperature", put(m.temperature, "degC")],
    ["pressure", put(m.pressure, "Pa")],
    ["salinity", put(m.salinity, "")],
    ["sound speed", put(m.sound_speed, "m/s")],
  ],
  BeaconRange: (m: BeaconRange) => [
    ["beacon", String(m.address)],
    ["range", put(m.range, "m")],
    ["range rate", put(m.rate, "m/s")],
    ...under("beacon", world(m.position, "m")),
    ["signal to noise", put(m.snr, "dB")],
  ],
  Bearing: (m: Bearing) => [
    ["source", String(m.address)],
    ["azimuth to starboard", put(m.azimuth, "rad")],
    ["elevation downwards", put(m.elevation, "rad")],
    ["range", put(m.range, "m")],
    ["signal to noise", put(m.snr, "dB")],
  ],
  ModemMessage: (m: ModemMessage) => [
    ["from, to", `${m.from}, ${m.to}`],
    ["bytes", String(m.size)],
    ["delivered, lost", `${m.delivered}, ${m.lost}`],
    ["signal to noise", put(m.snr, "dB")],
  ],
  CurrentProfile: (m: CurrentProfile) => [
    ["altitude", put(m.altitude, "m")],
    ...m.velocities
      .slice(0, 12)
      .map((v, i): Row => [
        `at ${show(m.distances[i], "m")}: north, east, down`,
        [v.y, v.x, -v.z].map((x) => show(x)).join(", ") + " m/s",
      ]),
  ],
};

export const hasReadings = (type: string): boolean => type in readings;

export function instrument(title: string, type: string): Sense<object> {
  const table = make("table", { class: "rows", "aria-label": title }),
    element = make("section", {}, make("h2", {}, title), table);
  let m: object | null = null;
  return {
    element,
    take: (message) => void (m = message),
    draw() {
      if (!m) return;
      const rows = readings[type](m as never);
      while (table.rows.length > rows.length) table.deleteRow(-1);
      rows.forEach(([name, value], i) => {
        const row = table.rows[i] ?? table.insertRow(-1);
        if (!row.cells.length) row.append(make("td"), make("td"));
        if (row.cells[0].textContent !== name) row.cells[0].textContent = name;
        if (row.cells[1].textContent !== value) row.cells[1].textContent = value;
      });
      m = null;
    },
  };
}
