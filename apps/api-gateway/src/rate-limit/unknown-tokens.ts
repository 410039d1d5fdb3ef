import { SNAPSHOT_REUSE_MS } from '@maker/contracts';
import { SteadyClock } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../access/caller.decorator.ts';
import { GATEWAY_CONFIGURATION, type GatewayConfiguration } from '../configuration.ts';
import { ApiError } from '../errors/api-error.ts';
import { BoundedWindows } from './bounded-windows.ts';
import { RateLimitStorage, type Verdict } from './rate-limit-storage.ts';
import { WINDOW_MS } from './window-key.ts';

/** How long a token stays known after its last valid verdict, ms. */
const KNOWN_MS = 60 * 60 * 1000;

/** A client may ask about one unknown token for so many requests of its rate limit. */
const REQUESTS_FOR_UNKNOWN_TOKEN = 10;

/** Most tokens in memory, and most counted pairs of client and token. */
const MOST_KNOWN = 10_000;

/**
 * Limits the unknown tokens that one client may ask about within a window. Each costs half a dozen requests to an RPC endpoint,
 * and a client can invent addresses for free. All replicas count them together, like requests.
 */
@Injectable()
export class UnknownTokens {
  private readonly limit: number;
  private readonly known: BoundedWindows<{ readonly expiresAtMs: number }>;
  /** Counted requests by client and token. */
  private readonly counted: BoundedWindows<{ readonly expiresAtMs: number; readonly verdict: Promise<Verdict> }>;

  constructor(
    private readonly storage: RateLimitStorage,
    @Inject(GATEWAY_CONFIGURATION) configuration: GatewayConfiguration,
    private readonly clock: SteadyClock,
  ) {
    this.limit = Math.ceil(configuration.RATE_LIMIT_REQUESTS / REQUESTS_FOR_UNKNOWN_TOKEN);
    this.known = new BoundedWindows(MOST_KNOWN, () => clock.now());
    this.counted = new BoundedWindows(MOST_KNOWN, () => clock.now());
  }

  /** @param token lower case @throws ApiError `TOO_MANY_REQUESTS` */
  async admit(caller: Caller, token: string): Promise<void> {
    if (this.known.get(token)) return;
    const { isBlocked, secondsLeft } = await this.countOnce(caller, token);
    if (!isBlocked) return;
    const message = 'Your network address has checked too many tokens. Please wait a moment.';
    throw new ApiError('TOO_MANY_REQUESTS', message, secondsLeft);
  }

  /** Marks a token as tradable: further requests for it are cheap. */
  remember(token: string): void {
    this.known.set(token, { expiresAtMs: this.clock.now() + KNOWN_MS });
  }

  /** Counts parallel and repeated requests of a client about one token once. */
  private countOnce({ apiKeyName, address }: Caller, token: string): Promise<Verdict> {
    const client = `unknown tokens ${apiKeyName} ${address}`;
    const key = `${client} ${token}`;
    const before = this.counted.get(key);
    if (before) return before.verdict;
    const verdict = this.storage.increment(client, WINDOW_MS, this.limit);
    this.counted.set(key, { verdict, expiresAtMs: this.clock.now() + SNAPSHOT_REUSE_MS });
    return verdict;
  }
}
