import type { paymentSeenOnHyperCore } from '@maker/contracts';
import type { Clock, Logger } from '@maker/service-kit';
import type { Address } from 'viem';
import type { z } from 'zod';
import type { Watch } from '../watch/watch.ts';

/** Ages of a job at which HyperCore is asked while it waits for its payment, ms. */
const ASKED_AT_MS = [1, 3, 7, 14].map((minutes) => minutes * 60_000);
/** A job that is older waits for its expiry, which makes a look of its own, ms. */
const MOST_AGE_MS = 16 * 60_000;

/** Time between two rounds, ms; and looks of a round: 240 of the 1200 units a minute that HyperCore allows an IP address. */
const ROUND_MS = 10_000;
const MOST_A_ROUND = 20;
const MOST_AT_ONCE = 4;

type Waiting = Pick<Watch, 'address' | 'jobId' | 'createdAtMs'>;
type SeenOnHyperCore = z.input<typeof paymentSeenOnHyperCore.data>;

/** What is known of an address in this process: after a restart it is asked about once more. */
interface Asked {
  readonly looks: number;
  readonly foundWei: bigint;
}

/**
 * Asks HyperCore about jobs that wait for their payment, so that a payer who sent HYPE there hears of it in a minute or two. The
 * scan waits for none of it. Source: docs/adr/0092.
 */
export class LookWhileWaitingService {
  private readonly asked = new Map<Address, Asked>();
  private nextRoundAtMs = 0;
  private isAsking = false;

  constructor(
    private readonly clock: Clock,
    private readonly looks: { readonly isConfigured: boolean; look(address: Address): Promise<bigint> },
    private readonly watches: { waiting(createdAfterMs: number): Promise<readonly Waiting[]> },
    private readonly tell: (jobId: string, seen: SeenOnHyperCore) => Promise<void>,
    private readonly logger: Logger,
  ) {}

  /** Begins a round where one is due. It never fails. */
  async afterBlock(): Promise<void> {
    const nowMs = this.clock.now();
    if (!this.looks.isConfigured || this.isAsking || nowMs < this.nextRoundAtMs) return;
    this.nextRoundAtMs = nowMs + ROUND_MS;
    this.isAsking = true;
    try {
      await this.round(nowMs);
    } catch (error) {
      this.logger.warn({ err: error }, 'HyperCore query failed, retrying in 10 s');
    } finally {
      this.isAsking = false;
    }
  }

  private async round(nowMs: number): Promise<void> {
    const waiting = await this.watches.waiting(nowMs - MOST_AGE_MS);
    const open = new Set(waiting.map(({ address }) => address));
    for (const address of this.asked.keys()) if (!open.has(address)) this.asked.delete(address);
    const due = waiting.filter((watch) => dueLooks(watch, nowMs) > (this.asked.get(watch.address)?.looks ?? 0));
    const some = due.slice(0, MOST_A_ROUND);
    for (let first = 0; first < some.length; first += MOST_AT_ONCE) {
      const asking = some.slice(first, first + MOST_AT_ONCE).map((watch) => this.ask(watch, nowMs));
      const failed = (await Promise.allSettled(asking)).find(({ status }) => status === 'rejected');
      if (failed) throw (failed as PromiseRejectedResult).reason;
    }
  }

  /** @throws HyperCoreUnavailableError */
  private async ask(watch: Waiting, nowMs: number): Promise<void> {
    const { address, jobId } = watch;
    const before = this.asked.get(address)?.foundWei ?? 0n;
    const foundWei = await this.looks.look(address);
    if (foundWei !== before)
      await this.tell(jobId, { amountWei: `${foundWei}`, lookedAt: new Date(this.clock.now()).toISOString() });
    this.asked.set(address, { looks: dueLooks(watch, nowMs), foundWei });
  }
}

/** How many looks a job of this age should have had. */
function dueLooks({ createdAtMs }: Waiting, nowMs: number): number {
  return ASKED_AT_MS.filter((ageMs) => ageMs <= nowMs - createdAtMs).length;
}
