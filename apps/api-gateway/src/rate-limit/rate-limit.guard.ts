import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import { IS_PUBLIC } from '../access/access.decorators.ts';
import type { IdentifiedRequest } from '../access/identify.ts';
import { RateLimit } from './rate-limit.ts';

/** Holds the rate limit; runs after the API key guard, which names the caller. Public routes are free of it. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly limit: RateLimit,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(IS_PUBLIC, targets)) return true;
    const http = context.switchToHttp();
    await this.limit.admit(http.getRequest<IdentifiedRequest>(), http.getResponse<FastifyReply>());
    return true;
  }
}
