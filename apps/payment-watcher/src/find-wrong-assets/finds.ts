import type { FoundToken } from '@maker/contracts';

/** Tokens at one address. */
export interface TokensFound {
  readonly tokens: readonly FoundToken[];
}

/** What a search found at an address, by its kind: wei on HyperCore, or tokens. */
export interface Finds {
  readonly hyperCore: string;
  readonly tokens: TokensFound;
}
