import { setTimeout as delay } from 'node:timers/promises';
import { WORKSPACE_ROOT } from '../paths.ts';
import { lastLogLine } from '../processes/log-line.ts';
import { HOST } from '../processes/ports.ts';
import { describeExit, type RunningProcess, startProcess } from '../processes/running-process.ts';
import type { ServiceName } from './description.ts';
import { findProgram, type ServiceProgram } from './service-program.ts';

const READY_TIMEOUT_MS = 60_000;
const STOP_GRACE_MS = 15_000;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;
/** After this long without a crash, the next restart waits the first delay again. */
const FORGIVEN_AFTER_MS = 60_000;

export interface ServiceSpecification {
  /** Folder in `apps/` with the built program. */
  app: ServiceName | 'site';
  /** Shown to people: the service's name, with a number for replicas after the first. */
  name: string;
  program: ServiceProgram | undefined;
  args: readonly string[];
  environment: NodeJS.ProcessEnv;
  opsPort: number;
  logFile: string;
  /** Start it again when it ends without `stop`, as a cluster would. */
  restartCrashed: boolean;
  /** Called at crashes and restarts, with a line for people. */
  notify: (line: string) => void;
  onProcess: (process: RunningProcess) => void;
}

/** A service that can be stopped, crashed and started again. */
export interface RunningService {
  process(): RunningProcess;
  /** @param environment added to its earlier environment, from now on */
  restart(environment?: NodeJS.ProcessEnv): Promise<void>;
  kill(signal: NodeJS.Signals): Promise<void>;
  stop(): Promise<void>;
}

async function isReady(opsPort: number): Promise<boolean> {
  const response = await fetch(`http://${HOST}:${opsPort}/readyz`, { signal: AbortSignal.timeout(2_000) });
  await response.arrayBuffer();
  return response.status === 200;
}

/**
 * Starts a service and waits until it is ready.
 * @throws ProcessFailedError quoting its last log line @throws NotBuiltError
 */
export async function runService(specification: ServiceSpecification, signal?: AbortSignal): Promise<RunningService> {
  const { app, name, opsPort, logFile, notify } = specification;
  const program = await findProgram(app, specification.program);
  const closed = new AbortController();

  let { environment } = specification;
  const start = async (startSignal: AbortSignal | undefined): Promise<RunningProcess> => {
    const process_ = await startProcess(
      {
        name,
        command: process.execPath,
        args: ['--disable-sigusr1', '--enable-source-maps', program, ...specification.args],
        environment,
        directory: WORKSPACE_ROOT,
        logFile,
        isReady: () => isReady(opsPort),
        readyTimeoutMs: READY_TIMEOUT_MS,
        stopGraceMs: STOP_GRACE_MS,
      },
      startSignal,
    );
    specification.onProcess(process_);
    if (specification.restartCrashed) watching = watch(process_);
    return process_;
  };

  let delayMs = FIRST_DELAY_MS;
  let watching: Promise<void> = Promise.resolve();
  const watch = async (watched: RunningProcess): Promise<void> => {
    const startedAt = performance.now();
    const exit = await watched.exited;
    if (watched.stopping() || closed.signal.aborted) return;
    if (performance.now() - startedAt > FORGIVEN_AFTER_MS) delayMs = FIRST_DELAY_MS;
    // A process killed by a signal could not log the reason.
    const line = exit.signal ? '' : await lastLogLine(logFile);
    notify(`${name} ended with ${describeExit(exit)}${line ? `: ${line}` : ''}; starting it again`);
    while (!closed.signal.aborted) {
      await delay(delayMs, undefined, { signal: closed.signal }).catch(() => undefined);
      delayMs = Math.min(delayMs * 2, LONGEST_DELAY_MS);
      if (closed.signal.aborted) return;
      try {
        current = await start(closed.signal);
        notify(`${name} is ready again`);
        return;
      } catch (error) {
        if (!closed.signal.aborted) notify(error instanceof Error ? error.message : String(error));
      }
    }
  };

  let current = await start(signal);
  return {
    process: () => current,
    async restart(more = {}) {
      environment = { ...environment, ...more };
      await current.stop();
      current = await start(closed.signal);
    },
    kill: (killSignal) => current.kill(killSignal),
    async stop() {
      closed.abort();
      await current.stop();
      await watching;
    },
  };
}
