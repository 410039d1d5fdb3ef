import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { PoolOptions, PoolWorker, WorkerRequest } from 'vitest/node';

type Listener = (...args: unknown[]) => void;

const ENTRY = join(import.meta.dirname, 'kept-thread.ts');

/** What a thread leaves behind in memory, and listeners of Vitest's that nobody takes away, add up: afterwards a new one is started. */
const RUNS_OF_A_THREAD = 250;

const MICROSECONDS_PER_MS = 1000;

let kept: { readonly thread: Worker; runs: number } | undefined;

let heard = process.cpuUsage();

/** What this process has computed since the thread last said anything, ms: a loop without end says nothing. */
export function computedInSilenceMs(): number {
  const { user, system } = process.cpuUsage(heard);
  return (user + system) / MICROSECONDS_PER_MS;
}

/** Ends the thread, so that the next run begins with nothing of those before. */
export async function endKeptThread(): Promise<void> {
  const ended = kept?.thread;
  kept = undefined;
  await ended?.terminate();
}

/**
 * Vitest's thread, except that it outlives a run: what a spec imports from packages is read once, which is most of what a run of a
 * few tests costs. Our own modules are read anew in each run, as `isolate` has it.
 */
export class KeptThreadWorker implements PoolWorker {
  readonly name = 'kept-thread';
  private readonly options: PoolOptions;
  private readonly listeners = new Map<string, Set<Listener>>();
  private thread: Worker | undefined;

  constructor(options: PoolOptions) {
    this.options = options;
  }

  async start(): Promise<void> {
    if (kept && kept.runs >= RUNS_OF_A_THREAD) await endKeptThread();
    kept ??= { thread: this.startThread(), runs: 0 };
    kept.runs += 1;
    this.thread = kept.thread;
  }

  on(event: string, callback: Listener): void {
    const listeners = this.listeners.get(event) ?? new Set();
    this.listeners.set(event, listeners.add(callback));
    this.thread?.on(event, callback);
  }

  off(event: string, callback: Listener): void {
    this.listeners.get(event)?.delete(callback);
    this.thread?.off(event, callback);
  }

  send(message: WorkerRequest): void {
    if (message.type !== 'stop') {
      this.thread?.postMessage(message);
      return;
    }
    // The thread is not told: it goes on.
    for (const listener of this.listeners.get('message') ?? [])
      listener({ __vitest_worker_response__: true, type: 'stopped' });
  }

  deserialize(message: unknown): unknown {
    return message;
  }

  async stop(): Promise<void> {
    for (const [event, listeners] of this.listeners) for (const one of listeners) this.thread?.off(event, one);
    this.listeners.clear();
    this.thread = undefined;
  }

  private startThread(): Worker {
    const thread = new Worker(ENTRY, { env: this.options.env as NodeJS.ProcessEnv, execArgv: this.options.execArgv });
    thread.setMaxListeners(0);
    heard = process.cpuUsage();
    thread.on('message', () => {
      heard = process.cpuUsage();
    });
    thread.once('exit', () => {
      if (kept?.thread === thread) kept = undefined;
    });
    return thread;
  }
}
