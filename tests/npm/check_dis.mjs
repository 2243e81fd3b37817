// Meets Fathom's DIS bytes with npm open-dis, both ways and both versions: what Fathom writes it reads, field by field,
// and writes again byte for byte; what it writes, Fathom reads (`fathom dis --file` prints it).
// usage: node check_dis.mjs WRITER FATHOM
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const require = createRequire(import.meta.url);
const [writer, fathom] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "dis-"));
const file = join(folder, "pdus");
const failures = [];
const check = (what, found, expected, within = 0) => {
  const same = typeof expected === "number" ? Math.abs(found - expected) <= within : found === expected;
  if (!same) failures.push(`${what}: found ${found}, expected ${expected}`);
};

execFileSync(writer, [file]);
const bytes = readFileSync(file);
const pdus = [];
for (let at = 0; at < bytes.length; at += bytes.readUInt16BE(at + 8)) {
  pdus.push(bytes.subarray(at, at + bytes.readUInt16BE(at + 8)));
}
check("PDUs", pdus.length, 12);

const copy = (pdu) => pdu.buffer.slice(pdu.byteOffset, pdu.byteOffset + pdu.length);
const encode = (dis, pdu) => {
  const stream = new dis.OutputStream(new ArrayBuffer(8192));
  pdu.encodeToBinary(stream);
  return Buffer.from(stream.binaryData, 0, stream.currentPosition);
};
const written = [];
for (const pdu of pdus) {
  const version = pdu[0];
  const type = pdu[2];
  if (type === 29) continue; // open-dis cannot: version 6 throws, version 7 has wrong sizes; tshark reads these
  const dis = version === 6 ? require("open-dis") : require("open-dis/dist/dis7.min.js");
  const read = new dis.PduFactory().createPdu(copy(pdu));
  const name = `version ${version} type ${type}`;
  check(`${name}: type`, read.pduType, type);
  check(`${name}: length`, (read.length ?? read.pduLength), pdu.length);
  if (type === 1) {
    check(`${name}: x`, read.entityLocation.x, -2709078.98325455, 1e-6);
    check(`${name}: psi`, read.entityOrientation.psi, -0.019120982, 1e-6);
    check(`${name}: vx`, read.entityLinearVelocity.x, 1.164039768, 1e-6);
    check(`${name}: country`, read.entityType.country, 225);
    check(`${name}: algorithm`, read.deadReckoningParameters.deadReckoningAlgorithm, 4);
  }
  if (type === 14) check(`${name}: reason`, read.reason, 1);
  if (type === 15) check(`${name}: request`, read.requestID, 99);
  const again = encode(dis, read);
  check(`${name}: written again`, again.equals(pdu), true);
  if (type === 1) { // what open-dis itself makes: moved, renamed, another algorithm
    read.entityLocation.x = -2709000.5;
    read.deadReckoningParameters.deadReckoningAlgorithm = 8;
    read.entityID[version === 6 ? "entity" : "entityID"] = 777;
  }
  if (type === 14) read.requestID = 4242;
  written.push(encode(dis, read));
}

writeFileSync(file, Buffer.concat(written));
const told = execFileSync(fathom, ["dis", "--file", file, "--json"], { encoding: "utf8" });
const lines = told.trim().split("\n").map((line) => JSON.parse(line));
check("PDUs told", lines.length, written.length);
for (const line of lines.filter((each) => each.type === "Entity State")) {
  check("entity", line.entity, "17:18:777");
  check("algorithm told", line.algorithm, 8);
  check("x told", line.location[0], -2709000.5, 1e-6);
  check("parts told", line.parts.length, 3);
}
check("stops told", lines.filter((each) => each.request === 4242).length, 2);

rmSync(folder, { recursive: true });
if (failures.length) {
  console.error(failures.join("\n"));
  process.exit(1);
}
console.log(`${pdus.length} PDUs read by open-dis, ${written.length} of its own by Fathom`);
