import { CHAIN_REACH_BEAT_MS, type ChainReachMessage } from '@maker/contracts';

/** Time after which a message no longer counts, ms. */
const VALID_MS = 4 * CHAIN_REACH_BEAT_MS;

/** Since when the chain cannot be reached, by the newest message of payment-watcher. */
export class ChainReach {
  private since: string | undefined;
  private receivedAtMs = Number.NEGATIVE_INFINITY;

  /** @param now monotonic clock, ms */
  constructor(private readonly now: () => number) {}

  /** Records a message. During an outage replicas scan in turn: the earliest time of them counts. */
  receive({ unreachableSince: since }: ChainReachMessage): void {
    const known = this.unreachableSince;
    this.since = since !== undefined && known !== undefined && known < since ? known : since;
    this.receivedAtMs = this.now();
  }

  /** ISO 8601; undefined while an endpoint answers, and without a message. */
  get unreachableSince(): string | undefined {
    if (this.since === undefined || this.now() - this.receivedAtMs > VALID_MS) return undefined;
    return this.since;
  }

  /** Adds the time to a JSON object. */
  addTo(json: string): string {
    const since = this.unreachableSince;
    return since === undefined ? json : `${json.slice(0, -1)},"chainUnreachableSince":${JSON.stringify(since)}}`;
  }
}
