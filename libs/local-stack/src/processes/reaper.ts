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

/** Has the process group `pid` ended should this process die without stopping it. */
export function reapOnDeath(pid: number): void {
  connect().send({ began: pid });
}

/** The process group `pid` has ended: its number may be another program's from now on. */
export function forget(pid: number): void {
  if (reaper?.connected) reaper.send({ ended: pid });
}
