import { renameSync, writeFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StackStoppedError, UsageError } from '../errors.ts';
import { DEFAULT_STACK_DIRECTORY } from '../paths.ts';
import { lastLogLine } from '../processes/log-line.ts';
import { describeExit, type RunningProcess } from '../processes/running-process.ts';
import type { ServiceName, StackDescription } from './description.ts';
import type { RunningService } from './running-service.ts';
import type { StackOptions } from './stack-options.ts';
import { choosePorts } from './stack-ports.ts';
import type { RunningServer, ServerName } from './start-infrastructure.ts';
import { startParts } from './start-parts.ts';
import { assertNotRunning, takeLock } from './supervisor-lock.ts';

/** A stack that is ready. */
export interface RunningStack {
  /** The content of `stack.json`. */
  stack: StackDescription;
  directory: string;
  /** Stops a service as a deployment would, starts it again and waits until it is ready. */
  restart(service: ServiceName, replica?: number, environment?: Record<string, string>): Promise<void>;
  /** Sends a signal to a service and waits until it has ended; `restart` starts it again. */
  kill(service: ServiceName, signal: NodeJS.Signals, replica?: number): Promise<void>;
  /** Suspends a service; `resume` continues it as if no time had passed. */
  pause(service: ServiceName, replica?: number): void;
  resume(service: ServiceName, replica?: number): void;
  /** Resolves when a service's current process has ended for any reason. */
  ended(service: ServiceName, replica?: number): Promise<void>;
  /** Sends a signal to a server and waits until it has ended; `startServer` starts it again. */
  killServer(server: ServerName, signal: NodeJS.Signals): Promise<void>;
  /** Starts a server again, with its own data or, with `wipe`, without. */
  startServer(server: ServerName, options?: { wipe?: boolean }): Promise<void>;
  /** Stops the whole stack, services first. */
  stop(): Promise<void>;
}

/**
 * Starts the local stack and writes `stack.json` when all parts are ready. Stops everything again when any part fails.
 * @throws StackError with one line for people
 */
export async function startStack(options: StackOptions = {}): Promise<RunningStack> {
  const directory = options.directory ?? DEFAULT_STACK_DIRECTORY;
  await assertNotRunning(directory);
  const ports = await choosePorts(options.ports ?? 'fixed');
  if (options.keep) await rm(join(directory, 'stack.json'), { force: true });
  else await rm(directory, { recursive: true, force: true });
  const releaseLock = await takeLock(directory);

  const pids: Record<string, number> = {};
  /** Keeps `processes.json`, the name of each process. A reader always finds a complete file. */
  const note = (process: RunningProcess): void => {
    pids[process.name] = process.pid;
    const file = join(directory, 'processes.json');
    writeFileSync(`${file}.new`, JSON.stringify(pids, null, 2));
    renameSync(`${file}.new`, file);
  };
  const services = new Map<ServiceName, RunningService[]>();
  const servers = new Map<ServerName, RunningServer>();
  const infrastructure: RunningProcess[] = [];
  let site: RunningService | undefined;
  let stopping: Promise<void> | undefined;

  const stopAll = async (): Promise<void> => {
    await rm(join(directory, 'stack.json'), { force: true });
    await site?.stop();
    await Promise.all([...services.values()].flat().map((replica) => replica.stop()));
    await Promise.all(infrastructure.map((process) => process.stop()));
    await rm(join(directory, 'processes.json'), { force: true });
    await releaseLock();
  };
  const stop = (): Promise<void> => {
    stopping ??= stopAll();
    return stopping;
  };
  const reportLoss = async (process: RunningProcess): Promise<void> => {
    const exit = await process.exited;
    if (stopping || process.stopping()) return;
    const line = await lastLogLine(process.logFile);
    options.onLost?.(`${process.name} ended with ${describeExit(exit)}: ${line} (log: ${process.logFile})`);
  };

  try {
    const stack = await startParts({
      options,
      directory,
      ports,
      services,
      servers,
      onInfrastructure(process) {
        infrastructure.push(process);
        note(process);
        void reportLoss(process);
      },
      onServiceProcess: note,
      onSite: (running) => {
        site = running;
      },
    });
    options.signal?.throwIfAborted();
    // It contains the payer's key, so only its owner may read it.
    await writeFile(join(directory, 'stack.json'), `${JSON.stringify(stack, null, 2)}\n`, { mode: 0o600 });
    const find = (service: ServiceName, replica = 0): RunningService => {
      const running = services.get(service)?.[replica];
      if (!running) throw new UsageError(`${service} (replica ${replica}) was not started with this stack`);
      return running;
    };
    const findServer = (server: ServerName): RunningServer => {
      const running = servers.get(server);
      if (!running) throw new UsageError(`${server} was not started with this stack`);
      return running;
    };
    return {
      stack,
      directory,
      restart: (service, replica, environment) => find(service, replica).restart(environment),
      kill: (service, killSignal, replica) => find(service, replica).kill(killSignal),
      pause: (service, replica) => find(service, replica).process().signal('SIGSTOP'),
      resume: (service, replica) => find(service, replica).process().signal('SIGCONT'),
      async ended(service, replica) {
        await find(service, replica).process().exited;
      },
      killServer: (server, killSignal) => findServer(server).kill(killSignal),
      startServer: (server, { wipe = false } = {}) => findServer(server).start(wipe),
      stop,
    };
  } catch (error) {
    await stop();
    throw options.signal?.aborted ? new StackStoppedError() : error;
  }
}
