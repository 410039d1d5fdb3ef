import { type ChainClient, erc20Abi, isContract } from '@maker/chain';
import { PLAIN_TRANSFER_GAS, smaller } from '@maker/rules';
import type { UnsignedTransaction } from '@maker/signing/private';
import { type Address, encodeFunctionData } from 'viem';
import type { Asset } from './recovery-journal.ts';
import type { PlannedWallet } from './recovery-plan.ts';

/** One asset of a wallet on its way to whom the plan names. */
export interface AssetReturn {
  readonly wallet: PlannedWallet;
  readonly returnTo: Address;
  readonly asset: Asset;
  /** Gas that returns under this plan have cost the wallet, wei. */
  readonly gasSpentWei: bigint;
}

/**
 * Makes the transaction that returns an asset: no more than the plan saw, whatever the wallet holds now, and HYPE less
 * its own gas.
 * @param priceWei per gas
 * @returns it and what it moves, wei or the token's smallest unit; undefined where nothing is left to move
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
