import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import { IS_PUBLIC, REQUIRED_SCOPE } from '../access/access.decorators.ts';
import type { ApiKeyScope } from '../access/api-key-file.ts';
import { ApiKeys } from '../access/api-keys.ts';
import { type IdentifiedRequest, identify } from '../access/identify.ts';
import { RateLimit } from './rate-limit.ts';

/**
 * Requires an API key with the scope of the route, and applies the rate limit. Only routes marked `@Public()` are exempt.
 * Source: specification § 6.
 */
@Injectable()
export class AdmissionGuard implements CanActivate {
  constructor(
    private readonly keys: ApiKeys,
    private readonly limit: RateLimit,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(IS_PUBLIC, targets)) return true;
    const scope = this.reflector.getAllAndOverride<ApiKeyScope | undefined>(REQUIRED_SCOPE, targets) ?? 'public';
    const http = context.switchToHttp();
    const request = http.getRequest<IdentifiedRequest>();
    identify(request, this.keys, scope);
    await this.limit.admit(request, http.getResponse<FastifyReply>());
    return true;
  }
}
