// VISION_POSITION_DELTA of a running program against node-mavlink, the library of another maker: its steps, added up
// as its definition says, end where the log says that the vehicle is.
// usage: node check_odometry.mjs PROGRAM MODELS
import assert from "node:assert";
import { execFileSync, spawn } from "node:child_process";
import dgram from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { MavLinkPacketParser, MavLinkPacketSplitter, ardupilotmega, common, minimal } from "node-mavlink";

const [program, models] = process.argv.slice(2);
const registry = { ...minimal.REGISTRY, ...common.REGISTRY, ...ardupilotmega.REGISTRY };
const folder = mkdtempSync(join(tmpdir(), "fathom-odometry-"));
const env = { ...process.env, FATHOM_MODELS: models };

// It goes to a point to port and below, and turns right round by half a turn on its way.
const scenario = `<fathom version="1"><world dt="0.01 s" duration="40 s" seed="1"><water density="1000 kg/m3"/>
  <bottom depth="20 m"/></world><vehicle name="rov" model="bluerov2" position="0 0 2 m">
  <mission><at t="0 s" place="4 -3 m" depth="3.5 m" heading="170 deg"/></mission>
  <autopilot steering="thrusters"><heading thrust-kp="2 N*m/rad" thrust-ki="0.1 N*m/rad/s" thrust-kd="2 N*m*s/rad"/>
  <depth thrust-kp="20 N/m" thrust-ki="2 N/m/s" thrust-kd="40 N*s/m"/><hover kp="10 N/m" ki="1 N/m/s" kd="30 N*s/m"/>
  </autopilot><dvl period="0.05 s" range="50 m"/></vehicle></fathom>`;

// Matrices by row, body to world.
const times = (a, b) => a.map((row) => b[0].map((_, k) => row.reduce((sum, x, i) => sum + x * b[i][k], 0)));
function turned(rotation, [x, y, z]) {
    const angle = Math.hypot(x, y, z);
    if (angle === 0) return rotation;
    const [a, b, c] = [x / angle, y / angle, z / angle];
    const [s, v] = [Math.sin(angle), 1 - Math.cos(angle)];
    return times(rotation, [
        [1 - v * (b * b + c * c), v * a * b - s * c, v * a * c + s * b],
        [v * a * b + s * c, 1 - v * (a * a + c * c), v * b * c - s * a],
        [v * a * c - s * b, v * b * c + s * a, 1 - v * (a * a + b * b)],
    ]);
}

async function heard() {
    const socket = dgram.createSocket("udp4");
    const input = new Readable({ read() {} });
    const messages = [];
    input
        .pipe(new MavLinkPacketSplitter())
        .pipe(new MavLinkPacketParser())
        .on("data", (packet) => {
            const type = registry[packet.header.msgid];
            assert(type, `message ${packet.header.msgid} is not of ardupilotmega.xml`);
            messages.push({ name: type.MSG_NAME, header: packet.header, ...packet.protocol.data(packet.payload, type) });
        });
    socket.on("message", (bytes) => input.push(bytes)).bind(0, "127.0.0.1");
    await once(socket, "listening");
    const run = spawn(program, ["run", "rov.xml", "--quiet", "--speed", "5", "--log", "rov.mcap", "--bridge",
        `odometry mode=send port=${socket.address().port}`], { stdio: "inherit", cwd: folder, env });
    const [status] = await once(run, "exit");
    assert.equal(status, 0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    socket.close();
    return messages;
}

function track() {
    execFileSync(program, ["export", "rov.mcap", "--csv", "csv", "/rov/odom"], { cwd: folder, stdio: "ignore", env });
    const [file] = readdirSync(join(folder, "csv"));
    const [head, ...rows] = readFileSync(join(folder, "csv", file), "utf8").trim().split("\n");
    const names = head.split(",").map((name) => name.replace(/ \[.*/, ""));
    const columns = ["time", ...["north", "east", "down"].map((axis) => `pose.pose.position.${axis}`)];
    return rows.map((row) => columns.map((name) => Number(row.split(",")[names.indexOf(name)])));
}

try {
    writeFileSync(join(folder, "rov.xml"), scenario);
    const messages = await heard();
    const deltas = messages.filter((m) => m.name === "VISION_POSITION_DELTA");
    const way = track();
    assert(deltas.length > 700, `${deltas.length} deltas`);
    let rotation = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    let position = [0, 0, 2];
    let worst = 0;
    for (const m of deltas) {
        rotation = turned(rotation, m.angleDelta);
        position = position.map((p, i) => p + rotation[i].reduce((sum, r, k) => sum + r * m.positionDelta[k], 0));
        assert.equal(m.confidence, 100);
        assert.equal(Number(m.timeDeltaUsec), 50000);
        const time = Number(m.timeUsec) * 1e-6;
        const true_ = way.reduce((a, b) => (Math.abs(b[0] - time) < Math.abs(a[0] - time) ? b : a));
        worst = Math.max(worst, Math.hypot(...position.map((p, i) => p - true_[1 + i])));
    }
    const end = way.at(-1).slice(1);
    assert(Math.hypot(end[0] - 4, end[1] + 3, end[2] - 3.5) < 0.6, `the vehicle is at ${end}`);
    assert(worst < 0.12, `the sum of the deltas is up to ${worst} m from the track`);
    const heading = (Math.atan2(rotation[1][0], rotation[0][0]) * 180) / Math.PI;
    assert(Math.abs(heading - 170) < 15, `the sum of the turns is ${heading} degrees`);

    const beat = messages.find((m) => m.name === "HEARTBEAT");
    assert.equal(beat.type, minimal.MavType.ONBOARD_CONTROLLER);
    assert.equal(beat.autopilot, minimal.MavAutopilot.INVALID);
    assert.deepEqual([beat.header.sysid, beat.header.compid], [1, 197]);
    const altitude = messages.findLast((m) => m.name === "DISTANCE_SENSOR");
    assert.equal(altitude.orientation, common.MavSensorOrientation.PITCH_270);
    assert(Math.abs(altitude.currentDistance / 100 - (20 - end[2])) < 0.2, `altitude ${altitude.currentDistance} cm`);
    console.log(`${deltas.length} deltas; the greatest distance from the track is ${worst.toFixed(3)} m`);
} finally {
    rmSync(folder, { recursive: true });
}
