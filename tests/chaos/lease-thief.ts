import { setTimeout as wait } from 'node:timers/promises';
import type { RunningStack, ServiceName } from '@maker/local-stack';
import type { Seeded } from '../support/seeded.ts';
import type { StolenLeases } from '../support/stolen-leases.ts';

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

interface HeldLease {
  readonly service: ServiceName;
  readonly leases: StolenLeases;
  readonly name: string;
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
    for (let deeds = 0; deeds < this.mostDeeds && !this.stopped.signal.aborted; ) {
      const held = await this.held();
      if (held.length > 0) {
        await this.disturb(this.seeded.pick(held));
        deeds += 1;
      }
      await this.rest(this.seeded.between(...PAUSE_BETWEEN_MS));
    }
  }

  /** Each as likely as any other, so that the many of wallets are stolen more often than the one of the scanner. */
  private async held(): Promise<HeldLease[]> {
    const services = Object.entries(this.targets.leases) as [ServiceName, StolenLeases][];
    const held = await Promise.all(
      services.map(async ([service, leases]) =>
        (await leases.held()).sort().map((name): HeldLease => ({ service, leases, name })),
      ),
    );
    return held.flat();
  }

  private async disturb({ service, leases, name }: HeldLease): Promise<void> {
    const deed = this.seeded.pick(['expired', 'seized', 'seized', 'paused'] as const);
    if (deed === 'paused') await this.pause(service);
    else if (deed === 'expired') await leases.expire(name);
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
  }

  private async rest(ms: number): Promise<void> {
    await wait(ms, undefined, { signal: this.stopped.signal }).catch(() => undefined);
  }
}
