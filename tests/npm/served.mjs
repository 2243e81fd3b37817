// Starts `fathom view` for a check, and stops it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

export const STOPPED = 128 + 15; // the status of a program that SIGTERM has ended

/** The program, serving; resolves once it has printed its address. A scenario does not pause at its duration. */
export async function serve(program, args, options = {}) {
  const child = spawn(program, ["view", ...(options.ends ? [] : ["--endless"]), ...args], { stdio: ["ignore", "pipe", "inherit"], ...options });
  const end = () => child.kill("SIGKILL"); // also where a check fails
  process.on("exit", end);
  const [line] = await Promise.race([
    once(createInterface(child.stdout), "line"),
    once(child, "exit").then(([code]) => { throw new Error(`fathom view ${args.join(" ")} ended with ${code}`); }),
  ]);
  return {
    url: line,
    pid: child.pid,
    async stop() {
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      const [code] = await gone;
      process.off("exit", end);
      return code;
    },
  };
}

/** A port below those that the system gives to clients, and that no socket has now. */
export function freePort() {
  const used = new Set(["tcp", "udp"].flatMap((kind) => [...readFileSync(`/proc/net/${kind}`, "utf8").matchAll(/^ *\d+: [0-9A-F]+:([0-9A-F]{4})/gm)].map((m) => parseInt(m[1], 16))));
  for (;;) {
    const port = 20000 + Math.floor(Math.random() * 12000);
    if (!used.has(port)) return port;
  }
}

/** Waits until something is so. */
export async function until(what, test, seconds = 240) {
  for (const end = Date.now() + 1000 * seconds; ; ) {
    const value = await test();
    if (value) return value;
    if (Date.now() > end) throw new Error(`not so within ${seconds} s: ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

export function fact(name) {
  console.log(`ok - ${name}`);
}
