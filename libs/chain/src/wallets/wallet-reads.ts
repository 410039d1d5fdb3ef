import { type Address, encodeFunctionData, hexToBigInt, size, slice } from 'viem';
import { erc20Abi } from '../abi/erc20.ts';
import type { ChainClient } from '../client.ts';
import { meaningOf } from '../error-meaning.ts';
import { BalanceReader } from '../scanner/balance-reader.ts';
import { rpcRequestOf } from '../scanner/rpc-request.ts';

/** Gas limit of one read of a token, which bounds its computation and the size of its answer. A plain token uses 3,000. */
const TOKEN_READ_GAS = 200_000n;

/** HYPE of a wallet, wei, and the block whose state was read. */
export interface WalletBalance {
  readonly balanceWei: bigint;
  readonly blockNumber: number;
}

/** HYPE of wallets at about the newest block, each with its block. */
export async function walletBalances(
  client: ChainClient,
  wallets: readonly Address[],
): Promise<ReadonlyMap<Address, WalletBalance>> {
  const readings = await readerOf(client).read(wallets.map((wallet) => wallet.toLowerCase() as Address));
  const byWallet = new Map<Address, WalletBalance>();
  for (const wallet of wallets) {
    const address = wallet.toLowerCase() as Address;
    const reading = readings.find(({ addresses }) => addresses.includes(address));
    if (!reading) continue;
    byWallet.set(wallet, { balanceWei: reading.balances.get(address) ?? 0n, blockNumber: reading.blockNumber });
  }
  return byWallet;
}

/** One reader for each client: it learns which calls the endpoint accepts. */
const readers = new WeakMap<ChainClient, BalanceReader>();

function readerOf(client: ChainClient): BalanceReader {
  const known = readers.get(client);
  if (known) return known;
  const multicall3 = client.chain.contracts?.multicall3?.address;
  const reader = new BalanceReader(rpcRequestOf(client), { multicall3 });
  readers.set(client, reader);
  return reader;
}

/**
 * Tokens of a wallet, in the token's smallest unit, at the newest block.
 * @returns undefined where the token does not answer: it reverts, uses up its gas, or returns other data
 */
export async function walletTokens(client: ChainClient, token: Address, wallet: Address): Promise<bigint | undefined> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [wallet] });
  try {
    const { data: answer } = await client.call({ to: token, data, gas: TOKEN_READ_GAS });
    return answer !== undefined && size(answer) >= 32 ? hexToBigInt(slice(answer, 0, 32)) : undefined;
  } catch (error) {
    const meaning = meaningOf(error);
    if (meaning === 'reverted' || meaning === 'too_large') return undefined;
    throw error;
  }
}
