import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ProcessFailedError } from '../errors.ts';
import { lastLogLine } from './log-line.ts';
import { forget, reapOnDeath } from './reaper.ts';
import { waitUntil } from './wait-until.ts';

/** What to run, and the check that it is ready. */
export interface ProcessSpecification {
  /** As shown to people and in errors. */
  name: string;
  command: string;
  args: readonly string[];
  environment: NodeJS.ProcessEnv;
  directory?: string;
  /** File that the process's output is appended to. */
  logFile: string;
  isReady: () => Promise<boolean>;
  /** Milliseconds to become ready. */
  readyTimeoutMs: number;
  /** Milliseconds between SIGTERM and SIGKILL. */
  stopGraceMs: number;
}

export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A process that the stack started; it leads its own process group, out of reach of the terminal's Ctrl-C. */
export interface RunningProcess {
  name: string;
  pid: number;
  logFile: string;
  /** Resolves when the process has ended; never rejects. */
  exited: Promise<ProcessExit>;
  /** Whether `stop` or `kill` was called. */
  stopping(): boolean;
  /** SIGTERM, and SIGKILL after the grace period. Resolves when it has ended. */
  stop(): Promise<void>;
  /** Sends a signal that does not end the process, such as SIGSTOP. */
  signal(signal: NodeJS.Signals): void;
  /** Sends one signal to the process and resolves when it has ended. */
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** Environment that every process needs to run, or to start sooner; each caller adds the rest. */
export function baseEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, LANG, TZ, NODE_COMPILE_CACHE } = process.env;
  return Object.fromEntries(
    Object.entries({ PATH, HOME, TMPDIR, LANG, TZ, NODE_COMPILE_CACHE }).filter(([, value]) => value !== undefined),
  );
}

/**
 * Starts a process and waits until it is ready.
 * @throws ProcessFailedError when it ends first or is not ready in time; it is then ended
 */
export async function startProcess(specification: ProcessSpecification, signal?: AbortSignal): Promise<RunningProcess> {
  signal?.throwIfAborted();
  const { name, logFile, stopGraceMs } = specification;
  mkdirSync(dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'a');
  const child = spawn(specification.command, specification.args, {
    cwd: specification.directory,
    env: specification.environment,
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);

  let ended: ProcessExit | undefined;
  let failure: Error | undefined;
  let stopping = false;
  const exited = new Promise<ProcessExit>((resolve) => {
    const finish = (exit: ProcessExit): void => {
      ended = exit;
      if (child.pid) forget(child.pid);
      resolve(exit);
    };
    child.once('error', (error) => {
      failure = error;
      if (!child.pid) finish({ code: null, signal: null });
    });
    child.once('exit', (code, exitSignal) => finish({ code, signal: exitSignal }));
  });
  if (child.pid) reapOnDeath(child.pid);

  const send = (killSignal: NodeJS.Signals): void => {
    if (ended || !child.pid) return;
    try {
      process.kill(-child.pid, killSignal);
    } catch {
      child.kill(killSignal);
    }
  };
  const running: RunningProcess = {
    name,
    pid: child.pid ?? 0,
    logFile,
    exited,
    stopping: () => stopping,
    signal: send,
    async stop() {
      stopping = true;
      send('SIGTERM');
      const grace = new AbortController();
      const outcome = await Promise.race([
        exited,
        delay(stopGraceMs, 'late' as const, { signal: grace.signal }).catch(() => 'late' as const),
      ]);
      if (outcome === 'late') send('SIGKILL');
      grace.abort();
      await exited;
    },
    async kill(killSignal) {
      stopping = true;
      send(killSignal);
      await exited;
    },
  };

  let ready = false;
  const readyOrEnded = async (): Promise<boolean> => {
    if (ended) return true;
    ready = await specification.isReady();
    return ready;
  };
  try {
    await waitUntil(readyOrEnded, { timeoutMs: specification.readyTimeoutMs, signal });
  } catch (error) {
    await running.stop();
    throw error;
  }
  if (ready && !ended) return running;
  const what = failure
    ? `could not be started (${failure.message})`
    : ended
      ? `ended with ${describeExit(ended)} before it was ready`
      : `was not ready after ${specification.readyTimeoutMs / 1000} s`;
  await running.stop();
  throw new ProcessFailedError(name, what, await lastLogLine(logFile), logFile);
}

/** An exit in words: 'code 1' or 'SIGKILL'. */
export function describeExit(exit: ProcessExit): string {
  return exit.signal ?? `code ${exit.code}`;
}
