import { runWithRequestId } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { IdentifiedRequest } from '../access/identify.ts';
import { GATEWAY_CONFIGURATION, type GatewayConfiguration } from '../configuration.ts';
import { ApiError } from '../errors/api-error.ts';
import { RateLimitStorage, type Verdict } from './rate-limit-storage.ts';
import { WINDOW_MS, windowKey } from './window-key.ts';

/** The rate limit of a request, under its {@link windowKey}: 429 with Retry-After beyond it, until the window has passed. */
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
   * Counts a request and tells the client in headers how many are left.
   * @param request identified before
   * @param route template of its route, where the caller knows it: Fastify puts the options of a route together each time
   * @returns a promise only where the database has to be asked
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
      throw new ApiError('TOO_MANY_REQUESTS', 'Too many requests: wait until the window ends', secondsLeft);
    void reply
      .header('x-ratelimit-limit', this.limit)
      .header('x-ratelimit-remaining', Math.max(0, this.limit - totalHits))
      .header('x-ratelimit-reset', secondsLeft);
  }
}
