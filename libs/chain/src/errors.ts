import { BaseError } from 'viem';

/** The RPC endpoint did not answer, or failed itself: this says nothing about the contract. */
export class ChainUnavailableError extends Error {
  readonly code = 'CHAIN_UNAVAILABLE';

  constructor(what: string, cause: unknown) {
    super(`Could not ${what}: ${firstLine(cause)}`, { cause });
    this.name = 'ChainUnavailableError';
  }
}

/** The RPC endpoint serves another chain than the configured one. */
export class WrongChainError extends BaseError {
  readonly code = 'WRONG_CHAIN';

  constructor(expectedChainId: number, actualChainId: number) {
    super(`The RPC endpoint serves chain ${actualChainId}, but CHAIN_ID is ${expectedChainId}.`, {
      name: 'WrongChainError',
    });
  }
}

/** No network of this chain id is built in. */
export class UnknownNetworkError extends Error {
  readonly code = 'UNKNOWN_NETWORK';

  constructor(chainId: number, known: readonly number[]) {
    super(`CHAIN_ID ${chainId} is not a known network; known are ${known.join(', ')}`);
    this.name = 'UnknownNetworkError';
  }
}

/** A registry entry does not match the contracts on the chain. */
export class WrongExchangeError extends Error {
  readonly code = 'WRONG_EXCHANGE';
  readonly exchangeId: string;
  readonly difference: string;

  constructor(exchangeId: string, difference: string) {
    super(`Exchange '${exchangeId}' is not what the registry says: ${difference}`);
    this.exchangeId = exchangeId;
    this.difference = difference;
    this.name = 'WrongExchangeError';
  }
}

/** No registry entry matches the contracts on the chain: there is no exchange to trade on. */
export class NoExchangeLeftError extends Error {
  readonly code = 'NO_EXCHANGE_LEFT';

  constructor(problems: readonly WrongExchangeError[]) {
    super(`No exchange is left: ${problems.map(({ message }) => message).join('; ')}`);
    this.name = 'NoExchangeLeftError';
  }
}

/** The list of exchanges is not readable, or the network has no built-in exchanges and no file is configured. */
export class InvalidExchangesError extends Error {
  readonly code = 'INVALID_EXCHANGES';

  constructor(problem: string, cause?: unknown) {
    super(problem, { cause });
    this.name = 'InvalidExchangesError';
  }
}

function firstLine(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return text.split('\n', 1)[0] ?? text;
}
