import { setTimeout as wait } from 'node:timers/promises';
import type { ReplicaAddresses } from '@maker/local-stack';

const PROBE_EVERY_MS = 200;

/** Chooses a replica as a cluster's Service does: in turn, among those with a passing readiness probe. */
export class ReadyReplicas {
  private ready: ReplicaAddresses[] = [];
  private turn = 0;
  private readonly stopped = new AbortController();
  private readonly probing: Promise<void>;

  constructor(private readonly replicas: readonly ReplicaAddresses[]) {
    this.probing = this.probe();
  }

  /** The API's address at a ready replica. */
  next(): string {
    const replica = this.ready[this.turn++ % this.ready.length];
    if (!replica?.api) throw new Error('no replica is ready');
    return replica.api;
  }

  /** Number of ready replicas. */
  get size(): number {
    return this.ready.length;
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.probing;
  }

  private async probe(): Promise<void> {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      const answers = await Promise.all(this.replicas.map(isReady));
      this.ready = this.replicas.filter((_replica, index) => answers[index]);
      await wait(PROBE_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

async function isReady({ ops }: ReplicaAddresses): Promise<boolean> {
  try {
    const response = await fetch(`${ops}/readyz`, { signal: AbortSignal.timeout(1_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
