import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StackRunningError } from '../errors.ts';

/** When a process began, as the system tells it: with the pid, the name of one process for good. */
function beganAt(pid: number): string | undefined {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim();
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function lockFile(directory: string): string {
  return join(directory, 'supervisor.json');
}

/** @throws StackRunningError when another living process has a stack in `directory` */
export async function assertNotRunning(directory: string): Promise<void> {
  const text = await readFile(lockFile(directory), 'utf8').catch(() => undefined);
  if (!text) return;
  const { pid, began } = JSON.parse(text) as { pid: number; began?: string };
  // A pid may have become another program's since; the time it began tells.
  if (pid !== process.pid && isAlive(pid) && began === beganAt(pid)) throw new StackRunningError(directory, pid);
}

/** Marks `directory` as this process's. @returns gives it up again */
export async function takeLock(directory: string): Promise<() => Promise<void>> {
  await mkdir(directory, { recursive: true });
  await writeFile(lockFile(directory), JSON.stringify({ pid: process.pid, began: beganAt(process.pid) }));
  return () => rm(lockFile(directory), { force: true });
}
