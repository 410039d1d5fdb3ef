import { findUsedAddresses, type RpcRequest } from '@maker/chain';
import { walletAddresses } from '@maker/signing/derivation';
import type { Address } from 'viem';

const ADDRESSES_AT_ONCE = 400;

/** A wallet below the account key that was used. */
export interface UsedWallet {
  readonly index: number;
  readonly address: Address;
}

/** How far to search. */
export interface WalletRange {
  /** Unused addresses in a row after which no further one is asked for. */
  readonly gap: number;
  /** Wallets from this index on belong to the running product and are left alone. */
  readonly below?: number | undefined;
}

/**
 * Walks m/44'/60'/0'/0/0, 1, 2 … and asks the chain which of them were ever used. Indexes that were given to visitors who
 * did not pay leave no trace, which is what the gap bridges.
 */
export async function findUsedWallets(
  request: RpcRequest,
  accountXpub: string,
  { gap, below = Number.POSITIVE_INFINITY }: WalletRange,
): Promise<UsedWallet[]> {
  const addressAt = walletAddresses(accountXpub);
  const used: UsedWallet[] = [];
  const nextAfter = () => (used.at(-1)?.index ?? -1) + 1;
  for (let from = 0; from < Math.min(nextAfter() + gap, below); ) {
    const count = Math.min(ADDRESSES_AT_ONCE, Math.min(nextAfter() + gap, below) - from);
    const wallets = Array.from({ length: count }, (_, at) => ({ index: from + at, address: addressAt(from + at) }));
    const found = await findUsedAddresses(
      request,
      wallets.map(({ address }) => address),
    );
    used.push(...wallets.filter(({ address }) => found.has(address)));
    from += count;
  }
  return used;
}
