// Preloaded into a service by NODE_OPTIONS: its time of day is the machine's plus the milliseconds in the file CLOCK_STEP_FILE.
import { readFileSync } from 'node:fs';

const Machine = Date;
let stepMs = 0;

const now = () => Machine.now() + stepMs;

globalThis.Date = new Proxy(Machine, {
  construct: (target, parts, newTarget) => Reflect.construct(target, parts.length === 0 ? [now()] : parts, newTarget),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});

const read = () => {
  stepMs = Number(readFileSync(process.env.CLOCK_STEP_FILE, 'utf8'));
};
read();
setInterval(read, 100).unref();
