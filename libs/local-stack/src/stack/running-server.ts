import { rm } from 'node:fs/promises';
import type { ServerPlace } from '../processes/mongo.ts';
import type { RunningProcess } from '../processes/running-process.ts';

/** The servers that can be taken away and brought back; the chain, which is not ours, is always there. */
export type ServerName = 'mongod' | 'nats-server';

/** A server that can be crashed and started again on its own data. */
export interface RunningServer {
  process(): RunningProcess;
  /** Sends a signal and resolves when the server has ended. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Starts it again. @param wipe whether it has lost all it had stored */
  start(wipe: boolean): Promise<void>;
}

/** @param run starts the server at a place, and resolves when it can serve @param onProcess told of each new process */
export async function startServer(
  place: ServerPlace,
  run: (place: ServerPlace, signal?: AbortSignal) => Promise<RunningProcess>,
  onProcess: (process: RunningProcess) => Promise<void>,
  signal: AbortSignal,
): Promise<RunningServer> {
  let current = await run(place, signal);
  await onProcess(current);
  return {
    process: () => current,
    kill: (killSignal) => current.kill(killSignal),
    async start(wipe) {
      await current.stop();
      if (wipe) await rm(place.dataDirectory, { recursive: true, force: true });
      current = await run(place);
      await onProcess(current);
    },
  };
}
