import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { IS_PUBLIC, REQUIRED_SCOPE } from './access.decorators.ts';
import type { ApiKeyScope } from './api-key-file.ts';
import { ApiKeys } from './api-keys.ts';
import { type IdentifiedRequest, identify } from './identify.ts';

/**
 * Asks every route for an API key with the scope the route needs, unless it is marked `@Public()`: what is not opened
 * on purpose is closed. Source: specification § 6.
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
    const scope = this.reflector.getAllAndOverride<ApiKeyScope | undefined>(REQUIRED_SCOPE, targets) ?? 'public';
    identify(context.switchToHttp().getRequest<IdentifiedRequest>(), this.keys, scope);
    return true;
  }
}
