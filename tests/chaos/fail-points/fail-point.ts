import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** On which side of a write, publish or call a process dies: before it sent anything, or after it got the answer. */
export type Moment = 'before' | 'after';

/** A fail point where a service dies. */
export interface ArmedFailPoint {
  /** Distinguishes one arming from the next. */
  readonly id: number;
  /** Such as `mongo:update:jobs{status=active}`. */
  readonly point: string;
  readonly moment: Moment;
  /** The passing in one process at which it dies, 1 for the first. */
  readonly passing: number;
}

/** The file that arms a service, the file that records where it died, and the file that lists every passed point. */
export function failPointFiles(directory: string, service: string) {
  return {
    armed: join(directory, `${service}.armed.json`),
    died: join(directory, `${service}.died.jsonl`),
    passed: join(directory, `${service}.passed.log`),
  };
}

/** Replaces a service's armed points atomically. */
export function writeArmed(file: string, armed: readonly ArmedFailPoint[]): void {
  writeFileSync(`${file}.new`, JSON.stringify(armed));
  renameSync(`${file}.new`, file);
}

/** Inside the service: records each passed fail point, and kills the process by SIGKILL at the armed one. */
export class FailPoints {
  private readonly files: ReturnType<typeof failPointFiles>;
  /** Passings of each armed point, by the arming's id. */
  private readonly passings = new Map<number, number>();

  constructor(directory: string, service: string) {
    this.files = failPointFiles(directory, service);
  }

  /** Runs an action outside the process, with a fail point before and after it. */
  async around<Result>(point: string, act: () => Promise<Result>): Promise<Result> {
    this.pass(point, 'before');
    const result = await act();
    this.pass(point, 'after');
    return result;
  }

  /** Called at a fail point. Does not return if the service dies here. */
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
      // The file is missing, or is being written.
      return [];
    }
  }

  private die(at: ArmedFailPoint, armed: readonly ArmedFailPoint[]): never {
    appendFileSync(this.files.died, `${JSON.stringify({ ...at, pid: process.pid })}\n`);
    const others = armed.filter(({ id }) => id !== at.id);
    writeArmed(this.files.armed, others);
    process.kill(process.pid, 'SIGKILL');
    // Waits for the signal, so that no more code runs.
    for (;;);
  }
}
