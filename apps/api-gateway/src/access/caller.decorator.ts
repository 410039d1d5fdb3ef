import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { normalizeIp } from '@nestjs/throttler';
import type { IdentifiedRequest } from './identify.ts';

/** The client of a request. */
export interface Caller {
  /** Name of the API key. */
  readonly apiKeyName: string;
  /** Whether anyone may know the API key, as the one of a page. */
  readonly isPublic: boolean;
  /** Whether the API key has the scope `operator`. */
  readonly isOperator: boolean;
  /** IPv4 address or IPv6 network of the client; the address of the proxy unless the proxy is trusted. */
  readonly address: string;
}

/** The caller of a route that requires an API key. */
export const CallerParam = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const request = context.switchToHttp().getRequest<IdentifiedRequest>();
  if (!request.apiKeyOwner) throw new TypeError('A public route has no caller');
  const { name: apiKeyName, scopes } = request.apiKeyOwner;
  const isOperator = scopes.includes('operator');
  const isPublic = !scopes.includes('server') && !isOperator;
  return { apiKeyName, isPublic, isOperator, address: normalizeIp(request.ip) };
});
