import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error.ts';
import { IS_PUBLIC, REQUIRED_SCOPE } from './access.decorators.ts';
import type { ApiKeyScope } from './api-key-file.ts';
import { type ApiKeyOwner, ApiKeys } from './api-keys.ts';

/** A request with the owner of its API key, as the guard leaves it. */
export type IdentifiedRequest = FastifyRequest & { apiKeyOwner?: ApiKeyOwner };

/**
 * Asks every route for an API key with the scope the route needs, unless it is marked `@Public()`: what is not opened
 * on purpose is closed. A missing and a wrong key are answered alike. Source: specification § 6.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly keys: ApiKeys,
    private readonly reflector: Reflector,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(IS_PUBLIC, targets)) return true;
    const request = context.switchToHttp().getRequest<IdentifiedRequest>();
    const presented = request.headers['x-api-key'];
    const owner = this.keys.ownerOf(typeof presented === 'string' ? presented : '');
    if (!owner) throw new ApiError('UNAUTHORIZED', 'A valid API key is needed in the X-API-Key header');
    const scope = this.reflector.getAllAndOverride<ApiKeyScope | undefined>(REQUIRED_SCOPE, targets) ?? 'public';
    if (!owner.scopes.includes(scope)) throw new ApiError('FORBIDDEN', `This API key lacks the scope '${scope}'`);
    request.apiKeyOwner = owner;
    return true;
  }
}
