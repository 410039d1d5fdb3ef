import type { JobStatusResponse } from '@maker/contracts';
import type { Hash } from 'viem';
import type { Actor } from './actor.ts';
import type { Arena } from './arena.ts';

/** Lowest gas price, wei. Both sides are counted at it, so that a busy block changes no verdict. Source: hyperevm § 1.3. */
const GAS_PRICE_WEI = 100_000_000n;

/** Cost of an attack, wei. See README.md. */
export interface Costs {
  /** Gas of the attackers, and their losses to pools. */
  readonly theirsWei: bigint;
  /** Gas of the job beyond that of an undisturbed one, less the part that strangers' deposits paid. */
  readonly oursWei: bigint;
  /** Whether a third party attacked, which neither made the token nor pays for the job. */
  readonly byThirdParty: boolean;
}

/**
 * @param deployedGas of the hostile contracts
 * @param isByPayer whether the token or recipient, which the payer chose, is hostile too: their waste cannot be separated
 */
export async function costsOf(
  arena: Arena,
  job: JobStatusResponse | undefined,
  attackers: readonly Actor[],
  deployedGas: bigint,
  isByPayer: boolean,
): Promise<Costs> {
  const gas = attackers.reduce((sum, { gasUsed }) => sum + gasUsed, deployedGas);
  const lostWei = attackers.reduce((sum, actor) => sum + actor.lostWei, 0n);
  return {
    theirsWei: gas * GAS_PRICE_WEI + lostWei,
    oursWei: job ? (await wastedGas(arena, job)) * GAS_PRICE_WEI : 0n,
    byThirdParty: attackers.length > 0 && !isByPayer,
  };
}

/** Gas of failed transactions, and of every transfer beyond a fee, a delivery and a return; refunds bear their own. */
async function wastedGas(arena: Arena, { jobId, receipt, returns = [] }: JobStatusResponse): Promise<bigint> {
  const refunds = new Set(returns.flatMap(({ transactionHash }) => transactionHash ?? []));
  const own = (receipt?.transfers ?? []).filter(({ transactionHash }) => !refunds.has(transactionHash));
  const orders = receipt ? await arena.product.orders(jobId) : [];
  const wasted: string[] = orders.filter(({ failure }) => failure === 'reverted' || failure === 'expired').map(hashOf);
  for (const kind of ['fee', 'delivery', 'return']) {
    const mined = own.filter((transfer) => transfer.kind === kind && isMined(transfer.status));
    // Excludes the last one, which an undisturbed job also sends, unless it failed.
    wasted.push(...mined.filter(({ status }, index) => status === 'failed' || index < mined.length - 1).map(hashOf));
  }
  let gas = 0n;
  for (const hash of wasted) gas += (await arena.product.chain.getTransactionReceipt({ hash: hash as Hash })).gasUsed;
  return gas;
}

const hashOf = ({ transactionHash }: { transactionHash: string }): string => transactionHash;
const isMined = (status: string): boolean => status === 'mined' || status === 'final' || status === 'failed';
