import type { ExecutionContext } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerModuleOptions } from '@nestjs/throttler';
import { IS_PUBLIC } from '../access/access.decorators.ts';
import type { IdentifiedRequest } from '../access/api-key.guard.ts';
import type { GatewayConfiguration } from '../configuration.ts';
import { windowKey } from './window-key.ts';

/** Counts requests under their {@link windowKey}; beyond the limit 429 with Retry-After until the window has passed. */
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
      const { method, routeOptions, apiKeyOwner, ip } = request as IdentifiedRequest;
      return windowKey(method, routeOptions.url ?? '', apiKeyOwner?.name ?? '', ip);
    },
    generateKey: (_context, tracker) => tracker,
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
