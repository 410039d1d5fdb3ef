import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** On which side of a write, publish or call a process dies: before anything left it, or after the answer came. */
export type Moment = 'before' | 'after';

/** Where a service is to die. */
export interface ArmedFailPoint {
  /** Distinguishes one arming from the next. */
  readonly id: number;
  /** Such as `mongo:update:jobs{status=active}`. */
  readonly point: string;
  readonly moment: Moment;
  /** At which passing by one process, 1 for the first. */
  readonly passing: number;
}

/** The file that arms a service, the one that says where it died, and the one that lists every point that it passed. */
export function failPointFiles(directory: string, service: string) {
  return {
    armed: join(directory, `${service}.armed.json`),
    died: join(directory, `${service}.died.jsonl`),
    passed: join(directory, `${service}.passed.log`),
  };
}

/** Replaces what a service is armed with, in one step. */
export function writeArmed(file: string, armed: readonly ArmedFailPoint[]): void {
  writeFileSync(`${file}.new`, JSON.stringify(armed));
  renameSync(`${file}.new`, file);
}

/** Inside the service: notes each fail point that is passed, and ends the process by SIGKILL at the armed one. */
export class FailPoints {
  private readonly files: ReturnType<typeof failPointFiles>;
  /** Passings of each armed point, by the arming's id. */
  private readonly passings = new Map<number, number>();

  constructor(directory: string, service: string) {
    this.files = failPointFiles(directory, service);
  }

  /** Does something outside the process, with a fail point on either side. */
  async around<Result>(point: string, act: () => Promise<Result>): Promise<Result> {
    this.pass(point, 'before');
    const result = await act();
    this.pass(point, 'after');
    return result;
  }

  /** To be called at a fail point. Does not return where the service is to die. */
  pass(point: string, moment: Moment): void {
    if (moment === 'before') appendFileSync(this.files.passed, `${point}\n`);
    const armed = this.readArmed();
    for (const one of armed) {
      if (one.point !== point || one.moment !== moment) continue;
      const passings = (this.passings.get(one.id) ?? 0) + 1;
      this.passings.set(one.id, passings);
      if (passings >= one.passing) this.die(one, armed);
    }
  }

  private readArmed(): readonly ArmedFailPoint[] {
    try {
      return JSON.parse(readFileSync(this.files.armed, 'utf8'));
    } catch {
      // Not armed, or this very moment.
      return [];
    }
  }

  private die(at: ArmedFailPoint, armed: readonly ArmedFailPoint[]): never {
    appendFileSync(this.files.died, `${JSON.stringify({ ...at, pid: process.pid })}\n`);
    const others = armed.filter(({ id }) => id !== at.id);
    writeArmed(this.files.armed, others);
    process.kill(process.pid, 'SIGKILL');
    // The signal is on its way: nothing more may happen.
    for (;;);
  }
}
