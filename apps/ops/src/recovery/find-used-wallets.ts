import { findUsedAddresses, type RpcRequest } from '@maker/chain';
import { indexInSeries, walletAddresses } from '@maker/signing/derivation';
import type { Address } from 'viem';

const ADDRESSES_AT_ONCE = 400;

/** A used wallet below the account key. */
export interface UsedWallet {
  readonly index: number;
  readonly address: Address;
}

export interface WalletRange {
  /** The search ends after this many unused addresses in a row. */
  readonly gap: number;
  /** The search ignores wallets from this index on: they belong to the running product. */
  readonly below?: number | undefined;
  /** Series of wallets, one for each start of a job service, to search in addition to the plain indexes. */
  readonly series?: Iterable<number> | undefined;
}

/** Wallets to search in a series after its start and after each used one; the search bridges no longer gap. */
const WALLETS_OF_SERIES = 20;

/**
 * Searches the chain for used wallets: m/44'/60'/0'/0/0, 1, 2 …, then the first wallets of each series and those after each used one.
 * Wallets of visitors who did not pay leave no trace; the gap bridges them.
 */
export async function findUsedWallets(
  request: RpcRequest,
  accountXpub: string,
  { gap, below = Number.POSITIVE_INFINITY, series = [] }: WalletRange,
): Promise<UsedWallet[]> {
  const addressAt = walletAddresses(accountXpub);
  const used: UsedWallet[] = [];
  const use = async (indexes: readonly number[]): Promise<readonly UsedWallet[]> => {
    const wallets = indexes.map((index) => ({ index, address: addressAt(index) }));
    const found = await findUsedAddresses(
      request,
      wallets.map(({ address }) => address),
    );
    const usedNow = wallets.filter(({ address }) => found.has(address));
    used.push(...usedNow);
    return usedNow;
  };
  const nextAfter = () => (used.at(-1)?.index ?? -1) + 1;
  for (let from = 0; from < Math.min(nextAfter() + gap, below); ) {
    const count = Math.min(ADDRESSES_AT_ONCE, Math.min(nextAfter() + gap, below) - from);
    await use(Array.from({ length: count }, (_, at) => from + at));
    from += count;
  }
  let firsts: number[] = [];
  const searchOn = async () => {
    for (let usedNow = await use(firsts); usedNow.length > 0; ) {
      const asked = new Set(firsts);
      // Each used wallet extends the search of its series.
      firsts = usedNow.flatMap(({ index }) => Array.from({ length: WALLETS_OF_SERIES }, (_, at) => index + 1 + at));
      firsts = [...new Set(firsts)].filter((index) => !asked.has(index) && !used.some((one) => one.index === index));
      usedNow = firsts.length === 0 ? [] : await use(firsts);
    }
    firsts = [];
  };
  for (const one of series) {
    firsts.push(...Array.from({ length: WALLETS_OF_SERIES }, (_, n) => indexInSeries(one, n)));
    if (firsts.length >= ADDRESSES_AT_ONCE) await searchOn();
  }
  if (firsts.length > 0) await searchOn();
  return used.sort((one, other) => one.index - other.index);
}
