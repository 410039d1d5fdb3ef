import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StackRunningError } from '../errors.ts';

/** Start time of a process, from the operating system: with the pid, it identifies one process for good. */
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
  // Another program may have got the pid since; the start time distinguishes them.
  if (pid !== process.pid && isAlive(pid) && began === beganAt(pid)) throw new StackRunningError(directory, pid);
}

/** Marks `directory` as owned by this process. @returns a function that releases it */
export async function takeLock(directory: string): Promise<() => Promise<void>> {
  await mkdir(directory, { recursive: true });
  await writeFile(lockFile(directory), JSON.stringify({ pid: process.pid, began: beganAt(process.pid) }));
  return () => rm(lockFile(directory), { force: true });
}
