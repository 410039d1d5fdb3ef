import type { ExecutionContext } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { normalizeIp, ThrottlerGuard, type ThrottlerModuleOptions } from '@nestjs/throttler';
import { IS_PUBLIC } from '../access/access.decorators.ts';
import type { IdentifiedRequest } from '../access/api-key.guard.ts';
import type { GatewayConfiguration } from '../configuration.ts';

/**
 * Counts requests per API key, client address and route; beyond the limit 429 with Retry-After until the window has
 * passed. The browser's key is the same for everybody, hence the address; of an IPv6 address its network, since a
 * client has a whole one to itself.
 */
export function rateLimitOptions(configuration: GatewayConfiguration): ThrottlerModuleOptions {
  return {
    throttlers: [
      {
        limit: configuration.RATE_LIMIT_REQUESTS,
        ttl: configuration.RATE_LIMIT_WINDOW_SECONDS * 1000,
        blockDuration: 0,
      },
    ],
    getTracker: (request) => {
      const { apiKeyOwner, ip } = request as IdentifiedRequest;
      return `${apiKeyOwner?.name ?? ''} ${normalizeIp(ip)}`;
    },
  };
}

/** Holds the rate limit; runs after the API key guard, which names the caller. Public routes are free of it. */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  protected override async shouldSkip(context: ExecutionContext): Promise<boolean> {
    return (
      this.reflector.getAllAndOverride<boolean | undefined>(IS_PUBLIC, [context.getHandler(), context.getClass()]) ===
      true
    );
  }
}
