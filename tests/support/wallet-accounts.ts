import { routersOf } from '@maker/local-stack';
import { type Address, getAddress, isAddressEqual, parseAbi } from 'viem';
import type { ProductClient } from './product-client.ts';

const TOKEN = parseAbi(['function balanceOf(address owner) view returns (uint256)']);

/** What a job's wallet did, from the chain only, without the product's records. */
export interface WalletAccount {
  readonly ordersPlaced: number;
  readonly ordersFailed: number;
  /** Nonces of abandoned orders, used by transfers to the wallet itself. */
  readonly ordersVoided: number;
  /** Wei spent in the pool by each order. */
  readonly orderTrades: readonly bigint[];
  readonly tradedWei: bigint;
  readonly gasWei: bigint;
  readonly feeWei: bigint;
  readonly returnedWei: bigint;
  readonly balanceWei: bigint;
  readonly otherRecipients: readonly Address[];
}

/**
 * Reads every transaction of a wallet, block by block, and sorts it by its recipient.
 * @param fromBlock a block before the wallet's first transaction
 */
export async function accountOfWallet(
  { chain, stack }: ProductClient,
  wallet: Address,
  token: Address,
  fromBlock: bigint,
): Promise<WalletAccount> {
  const routers = new Set(routersOf(stack.contracts).map((router) => getAddress(router)));
  const account = {
    ordersPlaced: 0,
    ordersFailed: 0,
    ordersVoided: 0,
    orderTrades: [] as bigint[],
    tradedWei: 0n,
    gasWei: 0n,
    feeWei: 0n,
    returnedWei: 0n,
    otherRecipients: [] as Address[],
  };
  const head = await chain.getBlockNumber();
  for (let blockNumber = fromBlock; blockNumber <= head; blockNumber++) {
    const block = await chain.getBlock({ blockNumber, includeTransactions: true });
    for (const transaction of block.transactions) {
      if (!isAddressEqual(transaction.from, wallet)) continue;
      const receipt = await chain.getTransactionReceipt({ hash: transaction.hash });
      const gasWei = receipt.gasUsed * receipt.effectiveGasPrice;
      account.gasWei += gasWei;
      const to = getAddress(transaction.to ?? stack.contracts.whype);
      if (routers.has(to)) {
        if (receipt.status === 'success') {
          account.ordersPlaced += 1;
          account.tradedWei += transaction.value;
          account.orderTrades.push(transaction.value);
        } else account.ordersFailed += 1;
      } else if (isAddressEqual(to, wallet) && transaction.value === 0n) account.ordersVoided += 1;
      else if (isAddressEqual(to, stack.treasury as Address)) account.feeWei += transaction.value;
      else if (isAddressEqual(to, stack.payer.address as Address)) account.returnedWei += transaction.value;
      else if (!isAddressEqual(to, token)) account.otherRecipients.push(to);
    }
  }
  return { ...account, balanceWei: await chain.getBalance({ address: wallet }) };
}

/** All money that came to a wallet, wei: what left it and its balance. */
export function sumOf({ feeWei, tradedWei, gasWei, returnedWei, balanceWei }: WalletAccount): bigint {
  return feeWei + tradedWei + gasWei + returnedWei + balanceWei;
}

/** Token units that an address holds. */
export function tokenBalance({ chain }: ProductClient, token: Address, owner: Address): Promise<bigint> {
  return chain.readContract({ address: token, abi: TOKEN, functionName: 'balanceOf', args: [owner] });
}
