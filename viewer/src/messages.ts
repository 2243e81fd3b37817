/** The types of all messages. Written by messages.mjs from src/telemetry/message_table.h; do not edit. */

export interface Time {
  /** s */
  sec: number;
  /** ns */
  nanosec: number;
}

export interface Header {
  stamp: Time;
  frame_id: string;
}

export interface Bool {
  data: boolean;
}

export interface UInt32 {
  data: number;
}

export interface Float64 {
  data: number;
}

export interface String {
  data: string;
}

export interface ColorRGBA {
  r: number;
  g: number;
  b: number;
  a: number;
}

export interface MultiArrayDimension {
  label: string;
  size: number;
  stride: number;
}

export interface MultiArrayLayout {
  dim: MultiArrayDimension[];
  data_offset: number;
}

export interface Float64MultiArray {
  layout: MultiArrayLayout;
  data: Float64Array;
}

export interface Vector3 {
  x: number;
  y: number;
  z: number;
}

export interface Point {
  /** m */
  x: number;
  /** m */
  y: number;
  /** m */
  z: number;
}

export interface Quaternion {
  x: number;
  y: number;
  z: number;
  w: number;
}

export interface Pose {
  /** m */
  position: Point;
  orientation: Quaternion;
}

export interface PoseWithCovariance {
  pose: Pose;
  covariance: Float64Array;
}

export interface PoseWithCovarianceStamped {
  header: Header;
  pose: PoseWithCovariance;
}

export interface Twist {
  /** m/s */
  linear: Vector3;
  /** rad/s */
  angular: Vector3;
}

export interface TwistWithCovariance {
  twist: Twist;
  covariance: Float64Array;
}

export interface TwistStamped {
  header: Header;
  twist: Twist;
}

export interface Transform {
  /** m */
  translation: Vector3;
  rotation: Quaternion;
}

export interface TransformStamped {
  header: Header;
  child_frame_id: string;
  transform: Transform;
}

export interface Wrench {
  /** N */
  force: Vector3;
  /** N*m */
  torque: Vector3;
}

export interface WrenchStamped {
  header: Header;
  wrench: Wrench;
}

export interface Odometry {
  header: Header;
  child_frame_id: string;
  pose: PoseWithCovariance;
  twist: TwistWithCovariance;
}

export interface TFMessage {
  transforms: TransformStamped[];
}

export interface Clock {
  clock: Time;
}

export interface JointState {
  header: Header;
  name: string[];
  /** rad */
  position: Float64Array;
  /** rad/s */
  velocity: Float64Array;
  /** N*m */
  effort: Float64Array;
}

export interface BatteryState {
  header: Header;
  /** V */
  voltage: number;
  /** degC */
  temperature: number;
  /** A */
  current: number;
  /** A*h */
  charge: number;
  /** A*h */
  capacity: number;
  /** A*h */
  design_capacity: number;
  percentage: number;
  power_supply_status: number;
  power_supply_health: number;
  power_supply_technology: number;
  present: boolean;
  /** V */
  cell_voltage: Float32Array;
  /** degC */
  cell_temperature: Float32Array;
  location: string;
  serial_number: string;
}
export const BatteryState = {
  POWER_SUPPLY_STATUS_UNKNOWN: 0,
  POWER_SUPPLY_STATUS_CHARGING: 1,
  POWER_SUPPLY_STATUS_DISCHARGING: 2,
  POWER_SUPPLY_STATUS_NOT_CHARGING: 3,
  POWER_SUPPLY_STATUS_FULL: 4,
  POWER_SUPPLY_HEALTH_UNKNOWN: 0,
  POWER_SUPPLY_HEALTH_GOOD: 1,
  POWER_SUPPLY_HEALTH_DEAD: 3,
  POWER_SUPPLY_TECHNOLOGY_UNKNOWN: 0,
  POWER_SUPPLY_TECHNOLOGY_LION: 2,
} as const;

export interface Imu {
  header: Header;
  orientation: Quaternion;
  /** rad2 */
  orientation_covariance: Float64Array;
  /** rad/s */
  angular_velocity: Vector3;
  /** rad2/s2 */
  angular_velocity_covariance: Float64Array;
  /** m/s2 */
  linear_acceleration: Vector3;
  /** m2/s4 */
  linear_acceleration_covariance: Float64Array;
}

export interface FluidPressure {
  header: Header;
  /** Pa */
  fluid_pressure: number;
  /** Pa2 */
  variance: number;
}

export interface Temperature {
  header: Header;
  /** degC */
  temperature: number;
  /** degC2 */
  variance: number;
}

export interface RelativeHumidity {
  header: Header;
  relative_humidity: number;
  variance: number;
}

export interface MagneticField {
  header: Header;
  /** T */
  magnetic_field: Vector3;
  /** T2 */
  magnetic_field_covariance: Float64Array;
}

export interface NavSatStatus {
  status: number;
  service: number;
}
export const NavSatStatus = {
  STATUS_UNKNOWN: -2,
  STATUS_NO_FIX: -1,
  STATUS_FIX: 0,
  SERVICE_UNKNOWN: 0,
  SERVICE_GPS: 1,
} as const;

export interface NavSatFix {
  header: Header;
  status: NavSatStatus;
  /** deg */
  latitude: number;
  /** deg */
  longitude: number;
  /** m */
  altitude: number;
  /** m2 */
  position_covariance: Float64Array;
  position_covariance_type: number;
}
export const NavSatFix = { COVARIANCE_TYPE_UNKNOWN: 0, COVARIANCE_TYPE_DIAGONAL_KNOWN: 2 } as const;

export interface Range {
  header: Header;
  radiation_type: number;
  /** rad */
  field_of_view: number;
  /** m */
  min_range: number;
  /** m */
  max_range: number;
  /** m */
  range: number;
  /** m2 */
  variance: number;
}
export const Range = { ULTRASOUND: 0, INFRARED: 1 } as const;

export interface LaserScan {
  header: Header;
  /** rad */
  angle_min: number;
  /** rad */
  angle_max: number;
  /** rad */
  angle_increment: number;
  /** s */
  time_increment: number;
  /** s */
  scan_time: number;
  /** m */
  range_min: number;
  /** m */
  range_max: number;
  /** m */
  ranges: Float32Array;
  intensities: Float32Array;
}

export interface PointField {
  name: string;
  offset: number;
  datatype: number;
  count: number;
}
export const PointField = { UINT8: 2, FLOAT32: 7, FLOAT64: 8 } as const;

export interface PointCloud2 {
  header: Header;
  height: number;
  width: number;
  fields: PointField[];
  is_bigendian: boolean;
  point_step: number;
  row_step: number;
  data: Uint8Array;
  is_dense: boolean;
}

export interface Image {
  header: Header;
  height: number;
  width: number;
  encoding: string;
  is_bigendian: number;
  step: number;
  data: Uint8Array;
}

export interface RegionOfInterest {
  x_offset: number;
  y_offset: number;
  height: number;
  width: number;
  do_rectify: boolean;
}

export interface CameraInfo {
  header: Header;
  height: number;
  width: number;
  distortion_model: string;
  d: Float64Array;
  k: Float64Array;
  r: Float64Array;
  p: Float64Array;
  binning_x: number;
  binning_y: number;
  roi: RegionOfInterest;
}

export interface KeyValue {
  key: string;
  value: string;
}

export interface DiagnosticStatus {
  level: number;
  name: string;
  message: string;
  hardware_id: string;
  values: KeyValue[];
}
export const DiagnosticStatus = { OK: 0, WARN: 1, ERROR: 2, STALE: 3 } as const;

export interface DiagnosticArray {
  header: Header;
  status: DiagnosticStatus[];
}

/** Services: requests and responses, called as ROS 2 calls them. */
export interface Trigger_Response {
  success: boolean;
  message: string;
}

export interface SetBool_Request {
  data: boolean;
}

export interface SetBool_Response {
  success: boolean;
  message: string;
}

export interface ParameterValue {
  type: number;
  bool_value: boolean;
  integer_value: bigint;
  double_value: number;
  string_value: string;
  byte_array_value: Uint8Array;
  bool_array_value: boolean[];
  integer_array_value: BigInt64Array;
  double_array_value: Float64Array;
  string_array_value: string[];
}

export interface Parameter {
  name: string;
  value: ParameterValue;
}

/** The ranges have one item at most. */
export interface FloatingPointRange {
  from_value: number;
  to_value: number;
  step: number;
}

export interface IntegerRange {
  from_value: bigint;
  to_value: bigint;
  step: bigint;
}

export interface ParameterDescriptor {
  name: string;
  type: number;
  description: string;
  additional_constraints: string;
  read_only: boolean;
  dynamic_typing: boolean;
  floating_point_range: FloatingPointRange[];
  integer_range: IntegerRange[];
}

export interface SetParametersResult {
  successful: boolean;
  reason: string;
}

/** Requests and responses of the commands that have arguments: the table of commands. */
export interface SetParameters_Request {
  parameters: Parameter[];
}

export interface SetParameters_Response {
  results: SetParametersResult[];
}

export interface SetParametersAtomically_Request {
  parameters: Parameter[];
}

export interface SetParametersAtomically_Response {
  result: SetParametersResult;
}

export interface GetParameterTypes_Request {
  names: string[];
}

export interface GetParameterTypes_Response {
  types: Uint8Array;
}

export interface DescribeParameters_Request {
  names: string[];
}

export interface DescribeParameters_Response {
  descriptors: ParameterDescriptor[];
}

export interface GetParameters_Request {
  names: string[];
}

export interface GetParameters_Response {
  values: ParameterValue[];
}

export interface ListParametersResult {
  names: string[];
  prefixes: string[];
}

export interface ListParameters_Request {
  prefixes: string[];
  depth: bigint;
}

export interface ListParameters_Response {
  result: ListParametersResult;
}

export interface Dvl {
  header: Header;
  velocity_mode: number;
  dvl_type: number;
  /** m/s */
  velocity: Vector3;
  /** m2/s2 */
  velocity_covar: Float64Array;
  /** m */
  altitude: number;
  /** rad */
  course_gnd: number;
  /** m/s */
  speed_gnd: number;
  num_good_beams: number;
  /** m/s */
  sound_speed: number;
  beam_ranges_valid: boolean;
  beam_velocities_valid: boolean;
  beam_unit_vec: Vector3[];
  /** m */
  range: Float64Array;
  /** m2 */
  range_covar: Float32Array;
  beam_quality: Float32Array;
  /** m/s */
  beam_velocity: Float32Array;
  /** m2/s2 */
  beam_velocity_covar: Float32Array;
}
export const Dvl = { DVL_MODE_BOTTOM: 1, DVL_MODE_WATER: 2, DVL_TYPE_PISTON: 0, DVL_TYPE_PHASED_ARRAY: 1 } as const;

export interface PingInfo {
  /** Hz */
  frequency: number;
  /** m/s */
  sound_speed: number;
  /** rad */
  tx_beamwidths: Float32Array;
  /** rad */
  rx_beamwidths: Float32Array;
}

export interface SonarImageData {
  is_bigendian: boolean;
  dtype: number;
  beam_count: number;
  data: Uint8Array;
}
export const SonarImageData = { DTYPE_UINT8: 0, DTYPE_FLOAT32: 8 } as const;

export interface ProjectedSonarImage {
  header: Header;
  ping_info: PingInfo;
  beam_directions: Vector3[];
  /** m */
  ranges: Float32Array;
  image: SonarImageData;
}

export interface Duration {
  /** s */
  sec: number;
  /** ns */
  nanosec: number;
}

export interface CompressedImage {
  header: Header;
  format: string;
  data: Uint8Array;
}

export interface UVCoordinate {
  u: number;
  v: number;
}

export interface MeshFile {
  filename: string;
  data: Uint8Array;
}

export interface Marker {
  header: Header;
  ns: string;
  id: number;
  type: number;
  action: number;
  pose: Pose;
  /** m */
  scale: Vector3;
  color: ColorRGBA;
  lifetime: Duration;
  frame_locked: boolean;
  points: Point[];
  colors: ColorRGBA[];
  texture_resource: string;
  texture: CompressedImage;
  uv_coordinates: UVCoordinate[];
  text: string;
  mesh_resource: string;
  mesh_file: MeshFile;
  mesh_use_embedded_materials: boolean;
}
export const Marker = {
  ARROW: 0,
  CUBE: 1,
  SPHERE: 2,
  CYLINDER: 3,
  LINE_STRIP: 4,
  LINE_LIST: 5,
  CUBE_LIST: 6,
  SPHERE_LIST: 7,
  POINTS: 8,
  TEXT_VIEW_FACING: 9,
  MESH_RESOURCE: 10,
  TRIANGLE_LIST: 11,
  ARROW_STRIP: 12,
  ADD: 0,
  MODIFY: 0,
  DELETE: 2,
  DELETEALL: 3,
} as const;

export interface MarkerArray {
  markers: Marker[];
}

/** One number that an instrument measures and that has no standard message: depth, heading, leak, current. */
export interface Measurement {
  header: Header;
  quantity: string;
  unit: string;
  value: number;
  variance: number;
}

/** Conductivity, temperature, (absolute) pressure, and what follows from them. */
export interface Ctd {
  header: Header;
  /** S/m */
  conductivity: number;
  /** degC */
  temperature: number;
  /** Pa */
  pressure: number;
  salinity: number;
  /** m/s */
  sound_speed: number;
}

/** The orders and states of the actuators of a vehicle; units[i] belongs to orders[i] and values[i]. owners[i]:
 * who orders it now: "schedule", a controller of the vehicle, a client or a bridge, by name. */
export interface ActuatorState {
  header: Header;
  names: string[];
  units: string[];
  orders: Float64Array;
  values: Float64Array;
  owners: string[];
}

/** The outputs of a part without a standard message: controllers, instruments of plugins. */
export interface Values {
  header: Header;
  names: string[];
  units: string[];
  values: Float64Array;
}

/** What a fish decided in one cycle, and the ranges it used. Bearings are positive from forward to starboard; a range is
 * infinite if nothing was hit and NaN if it was not requested. */
export interface FishDecision {
  header: Header;
  behaviour: number;
  behaviour_name: string;
  /** m/s */
  speed: number;
  /** rad/s */
  turn_rate: number;
  /** m/s2 */
  acceleration: number;
  /** Hz */
  frequency: number;
  /** rad */
  deflection: number;
  senses: string;
  bumper: number;
  /** m */
  nearest: number;
  /** rad */
  bearing: number;
  /** rad */
  target_bearing: number;
  /** rad */
  target_width: number;
  /** rad */
  bearings: Float64Array;
  /** m */
  ranges: Float64Array;
}
export const FishDecision = {
  CONSTANT: 0,
  ACCELERATE: 1,
  DECELERATE: 2,
  TURN: 3,
  HOVER: 4,
  AVOID: 5,
  PURSUE: 6,
  BACK_OFF: 7,
  SEARCH: 8,
  APPROACH: 9,
  CIRCLE: 10,
} as const;

/** Something that happened: contact, fault, waypoint reached, a decision of a controller. */
export interface Event {
  stamp: Time;
  tick: bigint;
  vehicle: string;
  kind: string;
  text: string;
  value: number;
}

/** A sound emitted or received by a transducer. Sent: time, place and level; initial_intensity and intensity are equal,
 * radius is 0. Heard or not: the same, and what was heard. `tenths`: the stamp in 0.1 ms. `origin` is in the frame of
 * the header, "map". */
export interface Sound {
  header: Header;
  tenths: bigint;
  /** s */
  time: number;
  event: number;
  kind: number;
  signal: bigint;
  answers: bigint;
  vehicle: string;
  transducer: string;
  source_vehicle: string;
  source_transducer: string;
  /** m */
  origin: Point;
  /** s */
  sent: number;
  /** s */
  duration: number;
  /** Hz */
  frequency: number;
  /** Hz */
  heard_frequency: number;
  /** dB */
  initial_intensity: number;
  /** dB */
  intensity: number;
  /** dB */
  noise: number;
  /** dB */
  snr: number;
  /** m */
  radius: number;
  path: string;
  surface_reflections: number;
  bottom_reflections: number;
  size: number;
}
export const Sound = {
  SENT: 0,
  HEARD: 1,
  WEAK: 2,
  MASKED: 3,
  DROPPED: 4,
  NOT_SENT: 5,
  PING: 0,
  QUERY: 1,
  REPLY: 2,
  DATA: 3,
} as const;

/** A range from a beacon at a known place, or from Doppler the change of the range since its first ping; NaN: not known.
 * The place is in the frame of the header, "map". */
export interface BeaconRange {
  header: Header;
  /** m */
  range: number;
  /** m/s */
  rate: number;
  /** m */
  deviation: number;
  /** m */
  position: Point;
  address: number;
  /** dB */
  snr: number;
}

/** A message received by modem: the first `size` bytes of data. Counts of this modem so far. */
export interface ModemMessage {
  header: Header;
  from: number;
  to: number;
  hops: number;
  /** dB */
  snr: number;
  size: number;
  delivered: number;
  lost: number;
  data: Uint8Array;
}

/** Direction of a sound relative to a vehicle: range (NaN: not known), azimuth from forward to starboard, elevation
 * positive down, position relative to the instrument in the axes of the header's frame, the vehicle (a unit vector
 * without a range). */
export interface Bearing {
  header: Header;
  /** m */
  range: number;
  /** rad */
  azimuth: number;
  /** rad */
  elevation: number;
  /** m */
  position: Point;
  /** rad */
  bearing_deviation: number;
  /** m */
  range_deviation: number;
  address: number;
  /** dB */
  snr: number;
}

/** Velocity of the water at distances along the axis of a profiler, NaN where it has no measurement: over ground, or
 * relative to the profiler while it has no bottom lock, in the axes of the header's frame, "map". */
export interface CurrentProfile {
  header: Header;
  mode: number;
  /** m */
  altitude: number;
  /** m */
  distances: Float64Array;
  /** m/s */
  velocities: Vector3[];
}
export const CurrentProfile = { OVER_GROUND: 1, RELATIVE: 2 } as const;

/** Metrics of a run so far; a metric never observed is NaN. */
export interface Metrics {
  stamp: Time;
  names: string[];
  units: string[];
  values: Float64Array;
}

/** An input of the world, as applied at the start of a tick; sufficient to repeat the run. `kind` is a command of the
 * table of commands; its vehicle, then its other texts, numbers and bytes follow in the order of the table. `holder` is
 * the client that sent it. */
export interface Input {
  tick: bigint;
  kind: number;
  vehicle: string;
  texts: string[];
  values: Float64Array;
  data: Uint8Array;
  holder: string;
}

/** Hot-thermistor flow sensors: bridge voltages before and after the filter, thermistor temperatures, inferred flow. */
export interface FlowSensors {
  header: Header;
  names: string[];
  /** V */
  voltages: Float64Array;
  /** V */
  filtered_voltages: Float64Array;
  /** K */
  temperatures: Float64Array;
  /** m/s */
  velocities: Float64Array;
}

/** A reflex controller: its state, its distance estimates and what it detected. */
export interface ReflexState {
  header: Header;
  state: number;
  state_name: string;
  /** V*m */
  distance_estimate: Float64Array;
  threat: number;
  /** V */
  filtered_voltages: Float64Array;
}

/** The scene: what a run looks like, on the latched channel /scene. Poses in ENU/FLU below `frame` ("map", or the
 * base_link of a vehicle). size by kind: box x y z edges; sphere radius; cylinder and cone radius, length along z;
 * capsule radius, length of its core; plane none (normal z); ellipsoid semi-axes; mesh scale x y z with `mesh` the
 * index in meshes; line from 0 to x y z. */
export interface SceneShape {
  name: string;
  frame: string;
  kind: number;
  pose: Pose;
  /** m */
  size: Float64Array;
  mesh: number;
  colour: ColorRGBA;
}
export const SceneShape = {
  BOX: 0,
  SPHERE: 1,
  CYLINDER: 2,
  CAPSULE: 3,
  PLANE: 4,
  ELLIPSOID: 5,
  MESH: 6,
  LINE: 7,
  CONE: 8,
} as const;

/** Triangles, with red, green, blue of each vertex where they are known; or a file of this format ("glb") as it is. */
export interface SceneMesh {
  name: string;
  /** m */
  vertices: Float32Array;
  triangles: Uint32Array;
  colours: Float32Array;
  format: string;
  data: Uint8Array;
}

/** Bottom heights z (up, so negative) at x = x0 + i·dx (east), y = y0 + j·dy (north), row-major with i fastest. */
export interface SceneHeightmap {
  name: string;
  /** m */
  x0: number;
  /** m */
  y0: number;
  /** m */
  dx: number;
  /** m */
  dy: number;
  columns: number;
  rows: number;
  /** m */
  heights: Float32Array;
}

/** A joint turns `child` frame about (or slides along) `axis` of its pose below the `parent` frame. */
export interface SceneJoint {
  name: string;
  parent: string;
  child: string;
  kind: number;
  pose: Pose;
  axis: Vector3;
}
export const SceneJoint = { FIXED: 0, REVOLUTE: 1, PRISMATIC: 2 } as const;

/** A sensor on a vehicle: looks along x of its pose; fields of view about z (horizontal) and y (vertical). */
export interface SceneMount {
  name: string;
  vehicle: string;
  kind: string;
  pose: Pose;
  /** m */
  range_min: number;
  /** m */
  range_max: number;
  /** rad */
  fov_horizontal: number;
  /** rad */
  fov_vertical: number;
  beams: number;
}

/** What is drawn for the vehicles of a type, in their frames; none of it takes part in contact. Every look extends along
 * x of its pose. size by kind: box, sphere, capsule, cylinder, ellipsoid, cone (tip forward) length, breadth, height;
 * loft x, half breadth, z below and above, exponent of the superellipse of each station; foil span (along z), chord at
 * root and tip, sweep of the leading edge, thickness, part of the chord ahead of the hinge (the origin); screw
 * diameter, blades, length of its duct; tunnel diameter, length; mesh scale, with `mesh` the index in meshes; skin none
 * (a mesh that bends with the joints); band from and to, paint on everything between these x of the vehicle. A foil
 * rotates about z by `turn` times the actuator's value; a screw about x, with its thrust forward; `full` is the maximum
 * value of the actuator. */
export interface SceneLook {
  type: number;
  name: string;
  kind: number;
  pose: Pose;
  size: Float64Array;
  mesh: number;
  colour: ColorRGBA;
  glows: boolean;
  actuator: string;
  unit: string;
  turn: number;
  full: number;
}
export const SceneLook = {
  BOX: 0,
  SPHERE: 1,
  CAPSULE: 2,
  CYLINDER: 3,
  ELLIPSOID: 4,
  CONE: 5,
  LOFT: 6,
  FOIL: 7,
  SCREW: 8,
  TUNNEL: 9,
  MESH: 10,
  SKIN: 11,
  BAND: 12,
} as const;

/** An actuator of the vehicles of a type, in their frames. `kind` is its element in the model ("propeller",
 * "tunnel-thruster", "thruster", "fin", "ballast", "moving-mass") or "order" for an actuator of the vehicle's kind.
 * `effect`: force and moment at the order `high`; for a propeller or thruster in water at rest, for a fin at 1 m/s
 * ahead, for a mass from its weight while the vehicle is level, for an "order" only the direction. `direction` is the
 * unit vector of that force, or of the travel of a moving mass; 0 if there is none. */
export interface SceneActuator {
  type: number;
  name: string;
  kind: string;
  unit: string;
  low: number;
  high: number;
  /** m */
  position: Point;
  direction: Vector3;
  effect: Wrench;
}

/** A vehicle in the world, and the type whose looks and actuators it has. */
export interface SceneVehicle {
  name: string;
  model: string;
  type: number;
}

/** A component of the surface: z = amplitude cos(wave_number . (x, y) - frequency t + phase), t in s since the run
 * began. */
export interface SceneWave {
  /** m */
  amplitude: number;
  /** rad/m */
  wave_number: Vector3;
  /** rad/s */
  frequency: number;
  /** rad */
  phase: number;
}

/** Velocity of the water without its waves (east, north, up) at x = x0 + i dx (east), y = y0 + j dy (north), z = z0 + k
 * dz (up), i fastest, then j. */
export interface CurrentField {
  header: Header;
  /** m */
  x0: number;
  /** m */
  y0: number;
  /** m */
  z0: number;
  /** m */
  dx: number;
  /** m */
  dy: number;
  /** m */
  dz: number;
  columns: number;
  rows: number;
  layers: number;
  /** m/s */
  velocity: Float32Array;
}

/** All tethers: for each one the number of its points in `points` (east, north, up, one tether after the other, from end
 * to end), its diameter, and the larger tension of its ends. */
export interface Tethers {
  header: Header;
  names: string[];
  /** m */
  lengths: Float64Array;
  /** N */
  tensions: Float64Array;
  /** m */
  diameters: Float64Array;
  counts: Uint32Array;
  /** m */
  points: Float32Array;
}

export interface Scene {
  header: Header;
  name: string;
  /** deg */
  latitude: number;
  /** deg */
  longitude: number;
  shapes: SceneShape[];
  meshes: SceneMesh[];
  heightmaps: SceneHeightmap[];
  joints: SceneJoint[];
  mounts: SceneMount[];
  looks: SceneLook[];
  vehicles: SceneVehicle[];
  waves: SceneWave[];
  /** 1/m */
  attenuation: number;
  actuators: SceneActuator[];
}
