import { findUsedAddresses, type RpcRequest } from '@maker/chain';
import { indexInSeries, walletAddresses } from '@maker/signing/derivation';
import type { Address } from 'viem';

const ADDRESSES_AT_ONCE = 400;

/** A wallet below the account key that was used. */
export interface UsedWallet {
  readonly index: number;
  readonly address: Address;
}

export interface WalletRange {
  /** Unused addresses in a row after which no further one is asked for. */
  readonly gap: number;
  /** Wallets from this index on belong to the running product and are left alone. */
  readonly below?: number | undefined;
  /** Series of wallets, one for each start of a job service; searched beside the plain indexes. */
  readonly series?: Iterable<number> | undefined;
}

/** Wallets of a series that are asked about; visitors left so many of its first ones unpaid in a row at most. */
const WALLETS_OF_SERIES = 20;

/**
 * Walks m/44'/60'/0'/0/0, 1, 2 …, then the first wallets of each series and on from each that was used, and asks the chain which of
 * them were ever used. Indexes that were given to visitors who did not pay leave no trace, which is what the gap bridges.
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
      // Each used wallet moves the end of its series on.
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
