import type { FoundToken } from '@maker/contracts';

/** Tokens at one address. */
export interface TokensFound {
  readonly tokens: readonly FoundToken[];
}

/** Result of a search at an address, by kind: wei on HyperCore, or tokens. */
export interface Finds {
  readonly hyperCore: string;
  readonly tokens: TokensFound;
}
