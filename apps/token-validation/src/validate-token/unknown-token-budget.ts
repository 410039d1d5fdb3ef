import type { RequestLimit } from '@maker/chain';
import { RequestFailure } from '@maker/messaging';
import type { Clock } from '@maker/service-kit';

/** Requests that reading an unknown token takes, with its block. */
const REQUESTS_PER_TOKEN = 6;
/** Parts of the budget, in quarters: of one client, and of all; the rest is for known tokens. */
const QUARTERS_OF_CLIENT = 1;
const QUARTERS_OF_ALL = 3;
/** A visitor may try some tokens at the smallest endpoint. */
const LEAST_OF_CLIENT = 3;

/** So many unknown tokens were asked about that those who come with a known one would have to wait. */
export class TooManyUnknownTokens extends RequestFailure {
  constructor() {
    super('TOO_MANY_REQUESTS', 'Very many tokens are being looked up at this moment. Please try again in a minute.');
  }
}

/**
 * Shares the requests that the endpoints allow: tokens that were not found to be tradable within a day have three quarters of them,
 * and one client a quarter, so that known tokens and the jobs for them always have their turn.
 */
export class UnknownTokenBudget {
  private readonly spent: { readonly client: string; readonly atMs: number }[] = [];
  private readonly ofClient: number;
  private readonly ofAll: number;
  private readonly perMs: number;

  /** @param limits what each endpoint allows; undefined for one that sets no limit */
  constructor(
    limits: readonly (RequestLimit | undefined)[],
    private readonly clock: Clock,
  ) {
    this.perMs = Math.max(0, ...limits.map((limit) => limit?.perMs ?? 0));
    const requests = limits.reduce((sum, limit) => sum + (limit?.requests ?? Number.POSITIVE_INFINITY), 0);
    const quarter = requests / REQUESTS_PER_TOKEN / 4;
    this.ofClient = Math.max(LEAST_OF_CLIENT, Math.floor(quarter * QUARTERS_OF_CLIENT));
    this.ofAll = Math.max(this.ofClient, Math.floor(quarter * QUARTERS_OF_ALL));
  }

  /** @param client undefined where nobody told @throws TooManyUnknownTokens */
  spend(client = ''): void {
    if (!Number.isFinite(this.ofAll)) return;
    const nowMs = this.clock.now();
    while (this.spent[0] && this.spent[0].atMs <= nowMs - this.perMs) this.spent.shift();
    const ofClient = this.spent.filter((one) => one.client === client).length;
    if (ofClient >= this.ofClient || this.spent.length >= this.ofAll) throw new TooManyUnknownTokens();
    this.spent.push({ client, atMs: nowMs });
  }
}
