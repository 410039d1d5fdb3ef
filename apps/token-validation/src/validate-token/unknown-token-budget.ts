import type { RequestLimit } from '@maker/chain';
import { RequestFailure } from '@maker/messaging';
import type { SteadyClock } from '@maker/service-kit';

/** Requests to read an unknown token and the newest block. */
const REQUESTS_PER_TOKEN = 6;
/** Shares of the budget for unknown tokens, in quarters: of one client, and of all clients. The rest is for known tokens. */
const QUARTERS_OF_CLIENT = 1;
const QUARTERS_OF_ALL = 3;
/** Least number of unknown tokens for a client, for any endpoint. */
const LEAST_OF_CLIENT = 3;

/** Too many requests for unknown tokens: known tokens would have to wait. */
export class TooManyUnknownTokens extends RequestFailure {
  constructor() {
    super('TOO_MANY_REQUESTS', 'The service is checking too many tokens at the moment. Please try again in a minute.');
  }
}

/**
 * Limits the requests for unknown tokens, which were not tradable in the last day: all clients share three quarters of the endpoints'
 * limits, and one client has a quarter. So known tokens and their jobs always have requests left.
 */
export class UnknownTokenBudget {
  private readonly spent: { readonly client: string; readonly atMs: number }[] = [];
  private readonly ofClient: number;
  private readonly ofAll: number;
  private readonly perMs: number;

  /** @param limits limit of each endpoint; undefined for an endpoint without a limit */
  constructor(
    limits: readonly (RequestLimit | undefined)[],
    private readonly clock: SteadyClock,
  ) {
    this.perMs = Math.max(0, ...limits.map((limit) => limit?.perMs ?? 0));
    const requests = limits.reduce((sum, limit) => sum + (limit?.requests ?? Number.POSITIVE_INFINITY), 0);
    const quarter = requests / REQUESTS_PER_TOKEN / 4;
    this.ofClient = Math.max(LEAST_OF_CLIENT, Math.floor(quarter * QUARTERS_OF_CLIENT));
    this.ofAll = Math.max(this.ofClient, Math.floor(quarter * QUARTERS_OF_ALL));
  }

  /** @param client unknown by default @throws TooManyUnknownTokens */
  spend(client = ''): void {
    if (!Number.isFinite(this.ofAll)) return;
    const nowMs = this.clock.now();
    while (this.spent[0] && this.spent[0].atMs <= nowMs - this.perMs) this.spent.shift();
    const ofClient = this.spent.filter((one) => one.client === client).length;
    if (ofClient >= this.ofClient || this.spent.length >= this.ofAll) throw new TooManyUnknownTokens();
    this.spent.push({ client, atMs: nowMs });
  }
}
