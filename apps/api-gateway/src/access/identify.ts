import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error.ts';
import type { ApiKeyScope } from './api-key-file.ts';
import type { ApiKeyOwner, ApiKeys } from './api-keys.ts';

/** A request with the owner of its API key, which {@link identify} sets. */
export type IdentifiedRequest = FastifyRequest & { apiKeyOwner?: ApiKeyOwner };

/**
 * Requires an API key with a scope. A missing and a wrong key get the same answer. Source: specification § 6.
 * @throws ApiError `UNAUTHORIZED` or `FORBIDDEN`
 */
export function identify(request: IdentifiedRequest, keys: ApiKeys, scope: ApiKeyScope): void {
  const presented = request.headers['x-api-key'];
  const owner = keys.ownerOn(request.raw.socket, typeof presented === 'string' ? presented : '');
  if (!owner) throw new ApiError('UNAUTHORIZED', 'A valid API key is needed in the X-API-Key header');
  if (!owner.scopes.includes(scope)) throw new ApiError('FORBIDDEN', `This API key lacks the scope '${scope}'`);
  request.apiKeyOwner = owner;
}
