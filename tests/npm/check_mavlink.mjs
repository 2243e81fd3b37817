// MAVLink of a running program against node-mavlink, the library of another maker: as a ground station that watches and
// flies, and as PX4.
// usage: node check_mavlink.mjs PROGRAM SCENARIOS
import assert from "node:assert";
import { spawn } from "node:child_process";
import dgram from "node:dgram";
import { once } from "node:events";
import net from "node:net";
import { Readable } from "node:stream";
import { MavLinkPacketParser, MavLinkPacketSplitter, MavLinkProtocolV2, common, minimal } from "node-mavlink";

const [program, scenarios] = process.argv.slice(2);
const registry = { ...minimal.REGISTRY, ...common.REGISTRY };
const station = new MavLinkProtocolV2(255, 190, 0);
let sequence = 0;
const write = (message) => station.serialize(message, sequence++ & 255);

// Every frame that comes: its class by its number, and how many were spoilt.
function listen() {
    const input = new Readable({ read() {} });
    const seen = new Map();
    const waiting = [];
    const splitter = new MavLinkPacketSplitter();
    const parser = input.pipe(splitter).pipe(new MavLinkPacketParser());
    parser.on("data", (packet) => {
        const type = registry[packet.header.msgid];
        assert(type, `message ${packet.header.msgid} is not of common.xml`);
        const message = packet.protocol.data(packet.payload, type);
        const name = type.MSG_NAME;
        seen.set(name, { message, header: packet.header, count: (seen.get(name)?.count ?? 0) + 1 });
        for (let i = waiting.length - 1; i >= 0; i--)
            if (waiting[i].name === name && waiting[i].fits(message)) waiting.splice(i, 1)[0].resolve(message);
    });
    const next = (name, fits = () => true) =>
        new Promise((resolve, reject) => {
            const timer = setTimeout(() => reject(new Error(`no ${name} came`)), 20000);
            waiting.push({ name, fits, resolve: (m) => (clearTimeout(timer), resolve(m)) });
        });
    return { input, seen, next, splitter };
}

const freePort = async () => {
    const server = net.createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address();
    server.close();
    return port;
};

async function groundStation() {
    const socket = dgram.createSocket("udp4");
    socket.bind(0, "127.0.0.1");
    await once(socket, "listening");
    const { input, seen, next, splitter } = listen();
    let peer;
    socket.on("message", (bytes, from) => ((peer = from), input.push(bytes)));
    const run = spawn(program, ["run", `${scenarios}/lauv-survey.xml`, "--quiet", "--realtime", "--bridge",
        `mavlink port=${socket.address().port} rate='20 Hz'`], { stdio: "inherit" });
    try {
        const heartbeat = await next("HEARTBEAT");
        assert.equal(heartbeat.type, minimal.MavType.SUBMARINE);
        const attitude = await next("ATTITUDE");
        const position = await next("LOCAL_POSITION_NED", (m) => m.x > 1);
        assert(Math.abs(position.vx - 1.3) < 0.3 && Math.abs(position.z - 3) < 1, "it runs north at 1.3 m/s, 3 m deep");
        const globe = await next("GLOBAL_POSITION_INT");
        assert(globe.alt < -2000 && globe.vx > 90);
        const hud = await next("VFR_HUD");
        assert(Math.abs(hud.groundspeed - 1.3) < 0.3);
        await next("GPS_RAW_INT");
        await next("SCALED_PRESSURE");
        await next("SYS_STATUS");
        const later = await next("ATTITUDE", (m) => m.timeBootMs > attitude.timeBootMs + 500);
        assert((later.timeBootMs - attitude.timeBootMs) % 20 === 0, "stamped with simulated time, in steps of 20 ms");

        const list = new common.ParamRequestList();
        list.targetSystem = 1;
        const value = next("PARAM_VALUE", (m) => m.paramId.startsWith("SIM_RATE_HZ"));
        socket.send(write(list), peer.port, peer.address);
        assert.equal((await value).paramValue, 50);
        const command = new common.CommandLong();
        command.command = 512;
        command._param1 = 242;
        command.targetSystem = 1;
        const [ack, home] = [next("COMMAND_ACK"), next("HOME_POSITION")];
        socket.send(write(command), peer.port, peer.address);
        assert.equal((await ack).result, 0);
        await home;
        assert.equal(splitter.validPackages > 50, true);
        assert.equal(splitter.invalidPackages, 0);
        console.log(`ground station: ${splitter.validPackages} frames of ${seen.size} kinds, none spoilt`);
    } finally {
        run.kill("SIGINT");
        socket.close();
    }
}

// Commands of node-mavlink's own classes, a mission up and down, a guided point: the vehicle goes where they say.
async function pilot() {
    const socket = dgram.createSocket("udp4");
    socket.bind(0, "127.0.0.1");
    await once(socket, "listening");
    const { input, next, splitter } = listen();
    let peer;
    socket.on("message", (bytes, from) => ((peer = from), input.push(bytes)));
    const run = spawn(program, ["run", `${scenarios}/lauv-survey.xml`, "--quiet", "--duration", "1000", "--speed", "20",
        "--bridge", `mavlink port=${socket.address().port} rate='10 Hz'`], { stdio: "inherit" });
    const send = (message) => socket.send(write(message), peer.port, peer.address);
    const addressed = (message, fields = {}) =>
        Object.assign(message, { targetSystem: 1, targetComponent: 1 }, fields);
    const command = async (message) => {
        const ack = next("COMMAND_ACK", (m) => m.command === message.command);
        send(addressed(message));
        return (await ack).result;
    };
    try {
        await next("HEARTBEAT", (m) => m.baseMode & minimal.MavModeFlag.SAFETY_ARMED);
        const arm = new common.ComponentArmDisarmCommand(1, 1);
        arm.arm = 0;
        assert.equal(await command(arm), common.MavResult.ACCEPTED);
        await next("HEARTBEAT", (m) => !(m.baseMode & minimal.MavModeFlag.SAFETY_ARMED));
        const mode = new common.DoSetModeCommand(1, 1);
        mode.mode = 1;
        mode.customMode = 4;
        assert.equal(await command(mode), common.MavResult.ACCEPTED);
        const there = addressed(new common.SetPositionTargetLocalNed(), { coordinateFrame: 1, typeMask: 0xdf8,
            x: 40, y: -40, z: 6 });
        const reason = next("STATUSTEXT", (m) => m.text.includes("not armed"));
        send(there);
        await reason;
        arm.arm = 1;
        assert.equal(await command(arm), common.MavResult.ACCEPTED);
        send(there);
        await next("LOCAL_POSITION_NED", (m) => Math.abs(Math.hypot(m.x - 40, m.y + 40) - 15) < 2 && Math.abs(m.z - 6) < 0.5);

        const points = [[4e-4, 2e-4, -4], [4e-4, 4e-4, -5]].map(([north, east, z], seq) =>
            addressed(new common.MissionItemInt(), { seq, command: 16, frame: 3, autocontinue: 1, z,
                x: Math.round(north * 1e7), y: Math.round(east * 1e7) }));
        let request = next("MISSION_REQUEST_INT");
        send(addressed(new common.MissionCount(), { count: points.length }));
        for (let i = 0; i < points.length; i++) {
            assert.equal((await request).seq, i);
            request = next(i + 1 < points.length ? "MISSION_REQUEST_INT" : "MISSION_ACK");
            send(points[i]);
        }
        assert.equal((await request).type, common.MavMissionResult.ACCEPTED);
        for (const point of points) {
            const item = next("MISSION_ITEM_INT", (m) => m.seq === point.seq);
            send(addressed(new common.MissionRequestInt(), { seq: point.seq }));
            const { x, y, z } = await item;
            assert.deepEqual([x, y, z], [point.x, point.y, point.z]);
        }
        mode.customMode = 3;
        const reached = next("MISSION_ITEM_REACHED", (m) => m.seq === 1);
        assert.equal(await command(mode), common.MavResult.ACCEPTED);
        await reached;
        const at = await next("GLOBAL_POSITION_INT");
        assert(Math.abs(at.lat - points[1].x) < 600 && Math.abs(at.lon - points[1].y) < 600 && Math.abs(at.alt + 5000) < 1500);

        const set = addressed(new common.ParamSet(), { paramId: "WAYPOINTS_SPEED", paramValue: 1.25, paramType: 9 });
        const value = next("PARAM_VALUE", (m) => m.paramId.startsWith("WAYPOINTS_SPEED"));
        send(set);
        assert.equal((await value).paramValue, 1.25);
        const time = next("TIMESYNC", (m) => m.ts1 === 77n);
        send(Object.assign(new common.TimeSync(), { tc1: 0n, ts1: 77n, targetSystem: 1, targetComponent: 1 }));
        assert((await time).tc1 > 0n);
        const file = next("FILE_TRANSFER_PROTOCOL");
        send(addressed(new common.FileTransferProtocol(), { payload: [0, 0, 0, 4, ...Array(247).fill(0)] }));
        assert.equal((await file).payload[3], 129);
        assert.equal(splitter.invalidPackages, 0);
        console.log(`pilot: ${splitter.validPackages} frames, none spoilt; guided, and flown along a mission`);
    } finally {
        run.kill("SIGINT");
        socket.close();
    }
}

async function px4() {
    const [port, ground] = [await freePort(), await freePort()];
    const run = spawn(program, ["run", `${scenarios}/bluerov2-heavy-pulses.xml`, "--quiet", "--duration", "20", "--bridge",
        `mavlink simulator=${port} port=${ground}`], { stdio: "inherit" });
    const { input, next, splitter } = listen();
    let socket;
    for (let tries = 0; ; tries++) {
        socket = net.connect(port, "127.0.0.1");
        try {
            await once(socket, "connect");
            break;
        } catch (error) {
            if (tries > 200) throw error;
            await new Promise((resolve) => setTimeout(resolve, 50));
        }
    }
    socket.setNoDelay(true);
    socket.on("data", (bytes) => input.push(bytes));
    socket.on("error", () => {});
    try {
        let sensor = await next("HIL_SENSOR");
        const depth = -sensor.pressureAlt;
        assert(Math.abs(sensor.zacc + 9.8) < 0.5);
        for (let i = 0; i < 200; i++) {
            const controls = new common.HilActuatorControls();
            controls.timeUsec = sensor.timeUsec;
            controls.mode = 129;
            controls.flags = 1n;
            controls.controls = [0, 0, 0, 0, -0.6, 0.6, 0.6, -0.6, 0, 0, 0, 0, 0, 0, 0, 0];
            const answer = next("HIL_SENSOR", (m) => m.timeUsec > sensor.timeUsec);
            socket.write(write(controls));
            sensor = await answer;
        }
        assert(-sensor.pressureAlt > depth + 0.05, "its outputs push it down");
        assert.equal(splitter.invalidPackages, 0);
        console.log(`PX4: ${splitter.validPackages} frames, none spoilt; dived from ${depth.toFixed(2)} to ${(-sensor.pressureAlt).toFixed(2)} m`);
    } finally {
        socket.destroy();
        run.kill("SIGINT");
    }
}

await groundStation();
await pilot();
await px4();
process.exit(0);
