import { setTimeout as wait } from 'node:timers/promises';
import type { RunningStack, ServiceName } from '@maker/local-stack';
import type { Seeded } from '../support/seeded.ts';
import type { StolenLeases } from '../support/stolen-leases.ts';

/** How often each deed was done. */
export type ThiefDeeds = Record<'expired' | 'seized' | 'paused', number>;

const PAUSE_BETWEEN_MS = [200, 900] as const;

/** Targets of the thief. */
export interface ThiefTargets {
  readonly running: RunningStack;
  /** Lease rows by the service whose database has them. */
  readonly leases: Readonly<Partial<Record<ServiceName, StolenLeases>>>;
  /** Longest pause of a service, longer than its leases. Ms. */
  readonly longestPauseMs: Readonly<Partial<Record<ServiceName, number>>>;
}

interface HeldLease {
  readonly service: ServiceName;
  readonly leases: StolenLeases;
  readonly name: string;
}

/**
 * Takes leases away from their owners at any moment, and pauses owners for longer than their leases, so that they continue with
 * work that another process owns.
 */
export class LeaseThief {
  readonly deeds: ThiefDeeds = { expired: 0, seized: 0, paused: 0 };
  private readonly stopped = new AbortController();
  private working: Promise<void> = Promise.resolve();

  /** @param mostDeeds limit of deeds: on a slow machine jobs would never end */
  constructor(
    private readonly targets: ThiefTargets,
    private readonly seeded: Seeded,
    private readonly mostDeeds: number,
  ) {}

  start(): void {
    this.working = this.work();
  }

  /** Resolves when all paused owners run again. */
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

  /** All leases with equal chances: the many of wallets are stolen more often than the scanner's. */
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
