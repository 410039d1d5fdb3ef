import { SetMetadata } from '@nestjs/common';
import type { ApiKeyScope } from './api-key-file.ts';

/** Metadata of {@link Public}. */
export const IS_PUBLIC = 'access:public';

/** Metadata of {@link RequireScope}. */
export const REQUIRED_SCOPE = 'access:scope';

/** Opens a route to callers without an API key, and exempts it from the rate limit. */
export const Public = () => SetMetadata(IS_PUBLIC, true);

/** Requires a scope other than `public` of the caller's API key. */
export const RequireScope = (scope: ApiKeyScope) => SetMetadata(REQUIRED_SCOPE, scope);
