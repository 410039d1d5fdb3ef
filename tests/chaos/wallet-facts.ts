import {
  type Address,
  getAddress,
  type Hash,
  isAddressEqual,
  type PublicClient,
  parseAbi,
  parseEventLogs,
  type Transaction,
  type TransactionReceipt,
} from 'viem';

const TOKEN = parseAbi([
  'function balanceOf(address owner) view returns (uint256)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);

/** A deposit by plain transfer. */
export interface TransferIn {
  readonly hash: Hash;
  readonly from: Address;
  readonly valueWei: bigint;
  /** Timestamp of its block, ms. */
  readonly blockAtMs: number;
}

/** A transaction of a wallet, from the chain. */
export interface SentTransaction {
  readonly hash: Hash;
  readonly nonce: number;
  readonly to: Address;
  readonly succeeded: boolean;
  /** HYPE that moved, wei; 0 if it reverted. */
  readonly movedWei: bigint;
  readonly gasWei: bigint;
  /** Units of the job's token that the wallet received in it. */
  readonly tokensIn: bigint;
  /** Units of the job's token that left the wallet in it, and their recipients. */
  readonly tokensOut: bigint;
  readonly tokenRecipients: readonly Address[];
}

/** Facts about a job's wallet from the chain only, without the product's records. */
export interface WalletFacts {
  readonly transfersIn: readonly TransferIn[];
  readonly sent: readonly SentTransaction[];
  readonly balanceWei: bigint;
  readonly tokenBalance: bigint;
  /** Nonces used in blocks, and including the mempool. */
  readonly minedNonces: number;
  readonly pendingNonces: number;
}

/** A wallet and the token that its job buys. */
export interface WatchedWallet {
  readonly address: Address;
  readonly token: Address;
}

/**
 * Reads every block of a range once and collects the facts of some wallets, as of the newest block.
 * @param sinceBlock a block before the first transaction of any of the wallets
 * @returns facts by wallet, in the order given
 */
export async function readWallets(
  chain: PublicClient,
  wallets: readonly WatchedWallet[],
  sinceBlock: bigint,
): Promise<readonly WalletFacts[]> {
  const head = await chain.getBlockNumber({ cacheTime: 0 });
  const found = wallets.map(() => ({ transfersIn: [] as TransferIn[], sent: [] as SentTransaction[] }));
  for (let blockNumber = sinceBlock; blockNumber <= head; blockNumber++) {
    const { transactions, timestamp } = await chain.getBlock({ blockNumber, includeTransactions: true });
    for (const transaction of transactions) {
      for (const [index, wallet] of wallets.entries()) {
        const { transfersIn, sent } = found[index] as (typeof found)[number];
        const isFrom = isAddressEqual(transaction.from, wallet.address);
        const isTo = transaction.to !== null && isAddressEqual(transaction.to, wallet.address);
        if (!isFrom && !isTo) continue;
        const receipt = await chain.getTransactionReceipt({ hash: transaction.hash });
        if (isFrom) sent.push(describeSent(transaction, receipt, wallet));
        else if (receipt.status === 'success' && transaction.value > 0n) {
          const { hash, from, value: valueWei } = transaction;
          transfersIn.push({ hash, from: getAddress(from), valueWei, blockAtMs: Number(timestamp) * 1000 });
        }
      }
    }
  }
  return Promise.all(
    wallets.map(async ({ address, token }, index) => ({
      ...(found[index] as (typeof found)[number]),
      balanceWei: await chain.getBalance({ address, blockNumber: head }),
      tokenBalance: await chain.readContract({
        address: token,
        abi: TOKEN,
        functionName: 'balanceOf',
        args: [address],
        blockNumber: head,
      }),
      minedNonces: await chain.getTransactionCount({ address, blockNumber: head }),
      pendingNonces: await chain.getTransactionCount({ address, blockTag: 'pending' }),
    })),
  );
}

/** All money that ever came to a wallet: its balance and what left it. Wei. */
export function cameIn({ balanceWei, sent }: WalletFacts): bigint {
  return sent.reduce((sum, { movedWei, gasWei }) => sum + movedWei + gasWei, balanceWei);
}

function describeSent(transaction: Transaction, receipt: TransactionReceipt, wallet: WatchedWallet): SentTransaction {
  const succeeded = receipt.status === 'success';
  const transfers = parseEventLogs({ abi: TOKEN, eventName: 'Transfer', logs: receipt.logs }).filter(({ address }) =>
    isAddressEqual(address, wallet.token),
  );
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
  const to = transfers.filter(({ args }) => isAddressEqual(args.to, wallet.address));
  const from = transfers.filter(({ args }) => isAddressEqual(args.from, wallet.address));
  return {
    hash: transaction.hash,
    nonce: transaction.nonce,
    to: getAddress(transaction.to ?? wallet.address),
    succeeded,
    movedWei: succeeded ? transaction.value : 0n,
    gasWei: receipt.gasUsed * receipt.effectiveGasPrice,
    tokensIn: sum(to.map(({ args }) => args.value)),
    tokensOut: sum(from.map(({ args }) => args.value)),
    tokenRecipients: from.map(({ args }) => getAddress(args.to)),
  };
}
