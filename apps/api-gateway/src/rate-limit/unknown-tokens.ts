import { Clock } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../access/caller.decorator.ts';
import { GATEWAY_CONFIGURATION, type GatewayConfiguration } from '../configuration.ts';
import { ApiError } from '../errors/api-error.ts';
import { BoundedWindows } from './bounded-windows.ts';
import { RateLimitStorage } from './rate-limit-storage.ts';
import { WINDOW_MS } from './window-key.ts';

/** How long a token is known after it was last found to be tradable, ms. */
const KNOWN_MS = 60 * 60 * 1000;

/** Requests of the rate limit for which a client may ask about one unknown token. */
const REQUESTS_FOR_UNKNOWN_TOKEN = 10;

/** Tokens that are known at once. */
const MOST_KNOWN = 10_000;

/**
 * Limits how many tokens that nobody has found to be tradable one client may ask about within a window: each costs half a dozen
 * requests to an RPC endpoint, and addresses to ask about cost nothing. Counted like requests, by all replicas together.
 */
@Injectable()
export class UnknownTokens {
  private readonly limit: number;
  private readonly known: BoundedWindows<{ readonly expiresAtMs: number }>;

  constructor(
    private readonly storage: RateLimitStorage,
    @Inject(GATEWAY_CONFIGURATION) configuration: GatewayConfiguration,
    private readonly clock: Clock,
  ) {
    this.limit = Math.ceil(configuration.RATE_LIMIT_REQUESTS / REQUESTS_FOR_UNKNOWN_TOKEN);
    this.known = new BoundedWindows(MOST_KNOWN, () => clock.now());
  }

  /** @param token lower case @throws ApiError `TOO_MANY_REQUESTS` */
  async admit({ apiKeyName, address }: Caller, token: string): Promise<void> {
    if (this.known.get(token)) return;
    const key = `unknown tokens ${apiKeyName} ${address}`;
    const { isBlocked, secondsLeft } = await this.storage.increment(key, WINDOW_MS, this.limit);
    if (!isBlocked) return;
    const message = 'Too many tokens were asked about from your address. Please wait a moment.';
    throw new ApiError('TOO_MANY_REQUESTS', message, secondsLeft);
  }

  /** The token can be traded: who asks for it again costs little. */
  remember(token: string): void {
    this.known.set(token, { expiresAtMs: this.clock.now() + KNOWN_MS });
  }
}
