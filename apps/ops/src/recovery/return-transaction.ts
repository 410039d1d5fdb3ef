import { type ChainClient, erc20Abi, isContract } from '@maker/chain';
import { PLAIN_TRANSFER_GAS, smaller } from '@maker/rules';
import type { UnsignedTransaction } from '@maker/signing/private';
import { type Address, encodeFunctionData } from 'viem';
import type { Asset } from './recovery-journal.ts';
import type { PlannedWallet } from './recovery-plan.ts';

/** The return of one asset of a wallet to the plan's recipient. */
export interface AssetReturn {
  readonly wallet: PlannedWallet;
  readonly returnTo: Address;
  readonly asset: Asset;
  /** Gas that the wallet paid for returns under this plan, wei. */
  readonly gasSpentWei: bigint;
}

/**
 * Makes the transaction that returns an asset: at most the amount in the plan, even if the wallet holds more now, and HYPE less
 * its own gas.
 * @param priceWei per gas
 * @returns the transaction and its amount, in wei or the token's smallest unit; undefined if nothing is left
 */
export async function returnTransaction(
  client: ChainClient,
  { wallet, returnTo, asset, gasSpentWei }: AssetReturn,
  nonce: number,
  priceWei: bigint,
): Promise<{ transaction: UnsignedTransaction; amount: bigint } | undefined> {
  const fees = { maxFeePerGasWei: priceWei, maxPriorityFeePerGasWei: priceWei };
  const common = { chainId: client.chain.id, nonce, ...fees };
  if (asset === 'HYPE') {
    const gas = await hypeGas(client, wallet.address, returnTo);
    const held = await client.getBalance({ address: wallet.address });
    const amount = smaller(held, BigInt(wallet.balanceWei) - gasSpentWei) - gas * priceWei;
    return amount > 0n
      ? { amount, transaction: { ...common, to: returnTo, valueWei: amount, data: '0x', gas } }
      : undefined;
  }
  const planned = wallet.tokens.find(({ token }) => token === asset)?.amount ?? '0';
  const balanceOf = { address: asset, abi: erc20Abi, functionName: 'balanceOf', args: [wallet.address] } as const;
  const amount = smaller(await client.readContract(balanceOf), BigInt(planned));
  if (amount === 0n) return undefined;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [returnTo, amount] });
  const gas = withMargin(await client.estimateGas({ account: wallet.address, to: asset, data }));
  return { amount, transaction: { ...common, to: asset, valueWei: 0n, data, gas } };
}

async function hypeGas(client: ChainClient, from: Address, to: Address): Promise<bigint> {
  if (!(await isContract(client, to))) return PLAIN_TRANSFER_GAS;
  return withMargin(await client.estimateGas({ account: from, to, value: 1n }));
}

function withMargin(gas: bigint): bigint {
  return (gas * 5n) / 4n;
}
