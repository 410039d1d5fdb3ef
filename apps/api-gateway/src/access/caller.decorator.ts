import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { normalizeIp } from '@nestjs/throttler';
import type { IdentifiedRequest } from './identify.ts';

/** Who makes a request. */
export interface Caller {
  /** Name of the API key. */
  readonly apiKeyName: string;
  /** Client address, or the network of an IPv6 one; the proxy's own unless the proxy is trusted. */
  readonly address: string;
}

/** The caller of a route that asks for an API key. */
export const CallerParam = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const request = context.switchToHttp().getRequest<IdentifiedRequest>();
  if (!request.apiKeyOwner) throw new TypeError('A public route has no caller');
  return { apiKeyName: request.apiKeyOwner.name, address: normalizeIp(request.ip) };
});
