import { runWithRequestId } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { IdentifiedRequest } from '../access/identify.ts';
import { GATEWAY_CONFIGURATION, type GatewayConfiguration } from '../configuration.ts';
import { ApiError } from '../errors/api-error.ts';
import { RateLimitStorage, type Verdict } from './rate-limit-storage.ts';
import { WINDOW_MS, windowKey } from './window-key.ts';

/** Applies the rate limit of a request's {@link windowKey}: beyond it, 429 with Retry-After until the window ends. */
@Injectable()
export class RateLimit {
  private readonly limit: number;

  constructor(
    private readonly storage: RateLimitStorage,
    @Inject(GATEWAY_CONFIGURATION) configuration: GatewayConfiguration,
  ) {
    this.limit = configuration.RATE_LIMIT_REQUESTS;
  }

  /**
   * Counts a request and sets headers with the remaining number.
   * @param request with an identified client
   * @param route template of its route, if the caller knows it: Fastify computes the options of a route at each access
   * @returns a promise only if a claim from the database is needed
   * @throws ApiError `TOO_MANY_REQUESTS`
   */
  admit(request: IdentifiedRequest, reply: FastifyReply, route = request.routeOptions.url ?? ''): void | Promise<void> {
    const key = windowKey(request.method, route, request.apiKeyOwner?.name ?? '', request.ip);
    const verdict = this.storage.count(key, WINDOW_MS, this.limit);
    if (verdict) return this.apply(verdict, reply);
    const counting = runWithRequestId(request.id, () => this.storage.increment(key, WINDOW_MS, this.limit));
    return counting.then((late) => this.apply(late, reply));
  }

  private apply({ isBlocked, totalHits, secondsLeft }: Verdict, reply: FastifyReply): void {
    if (isBlocked)
      throw new ApiError('TOO_MANY_REQUESTS', 'Too many requests. Please wait a moment and try again.', secondsLeft);
    void reply
      .header('x-ratelimit-limit', this.limit)
      .header('x-ratelimit-remaining', Math.max(0, this.limit - totalHits))
      .header('x-ratelimit-reset', secondsLeft);
  }
}
