const FIRST_HARDENED_INDEX = 0x8000_0000;

/** Indexes from this value on belong to wallets of a series. */
const FIRST_OF_SERIES = 2 ** 32;

/** Number of wallets in one series. */
export const WALLETS_IN_SERIES = 2 ** 16;

/** The index is outside the range that a public key can derive. */
export class InvalidWalletIndexError extends Error {
  readonly code = 'INVALID_WALLET_INDEX';

  constructor(index: number) {
    super(`${index} is not a wallet index: expected an integer from 0 to ${FIRST_HARDENED_INDEX - 1}`);
    this.name = 'InvalidWalletIndexError';
  }
}

/** The last two levels of a wallet's path, `m/44'/60'/0'/change/index`. */
export interface WalletPath {
  readonly change: number;
  readonly index: number;
}

/**
 * The path of a wallet by its job's index: `0/i` for a plain index, `series/n` for the n-th wallet of a series.
 * @throws InvalidWalletIndexError
 */
export function walletPath(walletIndex: number): WalletPath {
  if (!Number.isSafeInteger(walletIndex) || walletIndex < 0) throw new InvalidWalletIndexError(walletIndex);
  if (walletIndex < FIRST_HARDENED_INDEX) return { change: 0, index: walletIndex };
  const change = Math.floor((walletIndex - FIRST_OF_SERIES) / WALLETS_IN_SERIES);
  if (change < 1 || change >= FIRST_HARDENED_INDEX) throw new InvalidWalletIndexError(walletIndex);
  return { change, index: (walletIndex - FIRST_OF_SERIES) % WALLETS_IN_SERIES };
}

/** The wallet index of the n-th wallet of a series. @param series from 1 on @throws RangeError beyond a series */
export function indexInSeries(series: number, n: number): number {
  if (n < 0 || n >= WALLETS_IN_SERIES) throw new RangeError(`A series has ${WALLETS_IN_SERIES} wallets, and no ${n}`);
  return FIRST_OF_SERIES + series * WALLETS_IN_SERIES + n;
}
