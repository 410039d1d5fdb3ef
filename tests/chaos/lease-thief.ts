import { setTimeout as wait } from 'node:timers/promises';
import type { RunningStack, ServiceName } from '@maker/local-stack';
import type { Seeded } from '../support/seeded.ts';
import type { StolenLeases } from './stolen-leases.ts';

/** How often each was done. */
export type ThiefDeeds = Record<'expired' | 'seized' | 'paused', number>;

const PAUSE_BETWEEN_MS = [200, 900] as const;

/** What the thief may lay hands on. */
export interface ThiefTargets {
  readonly running: RunningStack;
  /** Lease rows by the service whose database has them. */
  readonly leases: Readonly<Partial<Record<ServiceName, StolenLeases>>>;
  /** Longest time that a service is paused: longer than its leases last. Ms. */
  readonly longestPauseMs: Readonly<Partial<Record<ServiceName, number>>>;
}

/**
 * Takes leases away from their owners in whatever these are doing, and puts owners to sleep for longer than their leases last, so that
 * they wake up and go on with what is no longer theirs.
 */
export class LeaseThief {
  readonly deeds: ThiefDeeds = { expired: 0, seized: 0, paused: 0 };
  private readonly stopped = new AbortController();
  private working: Promise<void> = Promise.resolve();

  /** @param mostDeeds after which it rests: a machine that is slow enough would never get through */
  constructor(
    private readonly targets: ThiefTargets,
    private readonly seeded: Seeded,
    private readonly mostDeeds: number,
  ) {}

  start(): void {
    this.working = this.work();
  }

  /** Resolves when all that slept are awake again. */
  async stop(): Promise<ThiefDeeds> {
    this.stopped.abort();
    await this.working;
    return this.deeds;
  }

  private async work(): Promise<void> {
    const { leases } = this.targets;
    for (let deeds = 0; deeds < this.mostDeeds && !this.stopped.signal.aborted; deeds++) {
      const service = this.seeded.pick(Object.keys(leases) as ServiceName[]);
      const deed = this.seeded.pick(['expired', 'seized', 'seized', 'paused'] as const);
      if (deed === 'paused') await this.pause(service);
      else await this.steal(service, deed);
      await this.rest(this.seeded.between(...PAUSE_BETWEEN_MS));
    }
  }

  private async steal(service: ServiceName, deed: 'expired' | 'seized'): Promise<void> {
    const leases = this.targets.leases[service];
    const held = (await leases?.held()) ?? [];
    if (!leases || held.length === 0) return;
    const name = this.seeded.pick(held.sort());
    if (deed === 'expired') await leases.expire(name);
    else await leases.seize(name, this.seeded.between(100, 1500));
    this.deeds[deed] += 1;
  }

  private async pause(service: ServiceName): Promise<void> {
    const { running, longestPauseMs } = this.targets;
    const replica = this.seeded.between(0, running.stack.replicas[service].length - 1);
    const longest = longestPauseMs[service] ?? 0;
    running.pause(service, replica);
    try {
      await this.rest(this.seeded.between(Math.floor(longest / 2), longest));
    } finally {
      running.resume(service, replica);
    }
    this.deeds.paused += 1;
  }

  private async rest(ms: number): Promise<void> {
    await wait(ms, undefined, { signal: this.stopped.signal }).catch(() => undefined);
  }
}
