/** The instruments of a vehicle: one drawing for each kind. */
import type { Channel } from "../../link";
import type { FishDecision, ReflexState } from "../../messages";
import type { Sense } from "./common";
import { ladder } from "./ladder";
import { nose } from "./nose";
import { hasReadings, instrument } from "./instruments";
import { actuators, image, servos, table, threat } from "./others";
import { range, scan, sonarImage } from "./ranges";

export type { Sense } from "./common";

/** What a drawing can read from its vehicle. */
export interface Owner {
  vehicle: string;
  colour: string;
  colourOf: (vehicle: string) => string;
  /** whether a channel exists */
  has: (topic: string) => boolean;
  /** a parameter of the vehicle: "lateral_line/angles" */
  parameter: (path: string) => unknown;
  set: (path: string, value: number) => void;
}

const typeOf = (channel: Channel) => channel.schemaName.replace(/^.*\//, "");
const partOf = (channel: Channel) => channel.topic.replace(/^\/[^/]+\//, "").replace(/\/image_raw$/, "");
const isThreat = (channel: Channel) =>
  typeOf(channel) === "ReflexState" || (typeOf(channel) === "Values" && /avoid$/.test(channel.topic));

/** "52.5 65 -90 deg" in rad. */
function anglesOf(value: unknown): number[] {
  const words = String(value ?? "")
      .split(/[\s,]+/)
      .filter(Boolean),
    list = words.map(Number).filter(Number.isFinite);
  return words.includes("deg") ? list.map((a) => (a * Math.PI) / 180) : list;
}

/** The state of a controller or a fish, if its message has one. */
function stateOf(m: object): string {
  return (m as Partial<ReflexState>).state_name ?? (m as Partial<FishDecision>).behaviour_name ?? "";
}

export function senseFor(channel: Channel, owner: Owner): Sense {
  const title = partOf(channel),
    reflex = channel.topic.replace(/[^/]+$/, "reflex");
  if (channel.topic.startsWith("/acoustics/")) return ladder("Acoustic ladder", owner.vehicle, owner.colourOf);
  if (isThreat(channel)) return threat(`${title}: threat over time`, owner.colour);
  switch (typeOf(channel)) {
    case "FlowSensors":
      return nose(
        `${title}: volts around the nose`,
        anglesOf(owner.parameter(`${title.replaceAll("-", "_")}/angles`)),
        owner.has(reflex) ? reflex : undefined,
      );
    case "Range":
      return range(title);
    case "LaserScan":
      return scan(title);
    case "ProjectedSonarImage":
      return sonarImage(title);
    case "Image":
      return image(
        title,
        Number(owner.parameter(`${title.replaceAll("-", "_")}/fault`))
          ? () => owner.set(`${title.replaceAll("-", "_")}/fault`, 0)
          : null,
      );
    case "JointState":
      return servos("servos");
    case "ActuatorState":
      return actuators(title);
    default:
      if (hasReadings(typeOf(channel))) return instrument(title, typeOf(channel));
      return table(title, stateOf);
  }
}

/** Sort order: drawings first, then tables. */
export function rankOf(channel: Channel): number {
  if (isThreat(channel)) return 1;
  const place = [
    "FlowSensors",
    "",
    "ProjectedSonarImage",
    "LaserScan",
    "Image",
    "Sound",
    "JointState",
    "Range",
  ].indexOf(typeOf(channel));
  return place >= 0 ? place : 20;
}
export const isPicture = (channel: Channel) => rankOf(channel) < 20;
