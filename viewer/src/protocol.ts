/** What the server sends in addition to the messages of the world (messages.ts): JSON channels, text frames, service replies. */

// --- JSON channels -----------------------------------------------------------------------------------------------------

/** /run */
export interface Run {
  state: string; // "running", "paused", "ended" …
  speed: number;
  factor: number; // simulated time per real time
  time?: number; // s of the world, of a live run
  told?: string; // by a bridge, lately
  failure?: string;
}
/** /notes */
export interface Note {
  level: number; // 2: an error
  text: string;
}
/** /timeline */
export interface Timeline {
  events: Mark[];
}
/** An event on the timeline. */
export interface Mark {
  time: number; // s
  kind: string;
  text: string;
  vehicle: string;
  second?: boolean; // belongs to the second recording
}
/** /clients */
export interface Clients {
  clients: {
    id: number;
    name: string;
    role: string;
    vehicle: string;
    address: string;
    port: number;
    connected: boolean;
  }[];
}
/** /parameters */
export interface Parameters {
  parameters: {
    path: string;
    unit: string;
    text: string;
    min: number;
    max: number;
    live: boolean;
    written?: boolean;
  }[];
}
/** /setpoints: the setpoints of each vehicle's controllers. */
export interface Setpoints {
  vehicles: Record<string, { setpoints: Setpoint[]; controllers: { name: string; engaged: boolean }[] }>;
}
export interface Setpoint {
  name: string;
  unit: string;
  text: string;
  min: number;
  max: number;
  value: number | null; // null: not set
}
/** /waypoints */
export interface Waypoints {
  vehicles: Record<string, Waypoint[]>;
}
export interface Waypoint {
  position: [number, number, number]; // m: north, east, down
  speed: number; // m/s; below 0: the speed of the list
  hold: number; // s
}

// --- replies of services -----------------------------------------------------------------------------------------------

/** /scenarios */
export interface Scenarios {
  scenarios: { name: string; title: string }[];
}
/** /recordings */
export interface Recordings {
  recordings: { name: string }[];
}

// --- text frames of the Foxglove WebSocket protocol ----------------------------------------------------------------------

export interface Channel {
  id: number;
  topic: string;
  encoding: string;
  schemaName: string;
  schema: string;
}
export interface ServerInfo {
  name: string;
  capabilities: string[];
  metadata: Record<string, string>;
  sessionId?: string;
  dataStartTime?: { sec: number; nsec: number };
  dataEndTime?: { sec: number; nsec: number };
}
export interface Parameter {
  name: string;
  value: unknown;
}
export type ServerText =
  | ({ op: "serverInfo" } & ServerInfo)
  | { op: "advertise"; channels: Channel[] }
  | { op: "unadvertise"; channelIds: number[] }
  | { op: "advertiseServices"; services: { id: number; name: string }[] }
  | { op: "parameterValues"; parameters: Parameter[] }
  | { op: "status"; level: number; message: string }
  | { op: "serviceCallFailure"; callId: number; message: string };
export type ClientText =
  | { op: "subscribe"; subscriptions: { id: number; channelId: number }[] }
  | { op: "unsubscribe"; subscriptionIds: number[] }
  | { op: "getParameters" | "subscribeParameterUpdates"; parameterNames: string[]; id?: string }
  | { op: "setParameters"; parameters: { name: string; value: number; type: string }[]; id: string };
