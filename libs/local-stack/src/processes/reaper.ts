import { type ChildProcess, fork } from 'node:child_process';
import { ownModule } from '../paths.ts';

let reaper: ChildProcess | undefined;

function connect(): ChildProcess {
  if (reaper?.connected) return reaper;
  reaper = fork(ownModule(import.meta.url, './reaper-main'), [], { detached: true, stdio: 'ignore', execArgv: [] });
  // The reaper must not keep its supervisor alive.
  reaper.unref();
  reaper.channel?.unref();
  return reaper;
}

/** Makes the reaper end the process group `pid` if this process dies without stopping it. */
export function reapOnDeath(pid: number): void {
  connect().send({ began: pid });
}

/** Removes the process group `pid`, which has ended: another program may get its number. */
export function forget(pid: number): void {
  if (reaper?.connected) reaper.send({ ended: pid });
}
