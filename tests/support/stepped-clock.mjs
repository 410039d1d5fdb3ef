// Preloaded into a service by NODE_OPTIONS: its time of day is the machine's plus the milliseconds in the file CLOCK_STEP_FILE.
import { readFileSync } from 'node:fs';

const Machine = Date;
let stepMs = 0;

globalThis.Date = class SteppedDate extends Machine {
  constructor(...parts) {
    if (parts.length === 0) super(Machine.now() + stepMs);
    else super(...parts);
  }

  static now() {
    return Machine.now() + stepMs;
  }
};

const read = () => {
  stepMs = Number(readFileSync(process.env.CLOCK_STEP_FILE, 'utf8'));
};
read();
setInterval(read, 100).unref();
