import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunningProcess } from '../processes/running-process.ts';

/** Keeps `processes.json`: which process is which, for a person who wants to look at one or end it. */
export interface ProcessLedger {
  note(process: RunningProcess): Promise<void>;
}

/** @param directory of the stack */
export function processLedger(directory: string): ProcessLedger {
  const pids = new Map<string, number>();
  return {
    async note(process) {
      pids.set(process.name, process.pid);
      await writeFile(join(directory, 'processes.json'), JSON.stringify(Object.fromEntries(pids), null, 2));
    },
  };
}
