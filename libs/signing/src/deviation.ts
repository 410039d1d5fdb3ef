import type { SignedTerms } from '@maker/contracts';
import type { Address } from 'viem';
import { NOT_AGREED, type RecipientTrust } from './agreed-recipient.ts';
import { AgreedTerms } from './agreed-terms.ts';

/** What a job's activation says of it. Nothing of it is verified yet. */
interface ActivatedJob {
  readonly jobId: string;
  readonly walletAddress: Address;
  readonly tokenAddress: Address;
  /** Wei. */
  readonly depositWei: bigint;
  readonly returnAddress: Address | null;
  readonly payerClaim?: { readonly payer: Address };
  readonly terms?: SignedTerms;
  readonly plan: {
    readonly slotMs: number;
    readonly tradingEndsAt: Date;
    readonly latestEndAt: Date;
    readonly seenPriceX96: bigint | null;
    readonly bandBps: number;
    readonly slippageBps: number;
    readonly impactCapBps: number;
  };
}

const lower = (address: Address | null | undefined) => address?.toLowerCase() ?? null;

/**
 * Where an activated job differs from what the job service signed: then it is not executed. The event and the agreement come by different
 * ways, so that a forged event needs the key too. Source: docs/adr/0142.
 * @returns why its money is held; undefined if it is as agreed
 */
export function deviationOf(
  job: ActivatedJob,
  { agreementSigners, chainId }: Pick<RecipientTrust, 'agreementSigners' | 'chainId'>,
): string | undefined {
  const terms = AgreedTerms.verify(job.terms, agreementSigners);
  if ('problem' in terms) return `${NOT_AGREED}: ${terms.problem}`;
  const { agreement, activation, returnAddress, leastWei } = terms;
  if (!activation) return `${NOT_AGREED}: its activation is not agreed`;
  const { plan } = job;
  const compared: readonly (readonly [what: string, agreed: unknown, told: unknown])[] = [
    ['id', agreement.jobId, job.jobId],
    ['chain', agreement.chainId, chainId],
    ['wallet', agreement.wallet, lower(job.walletAddress)],
    ['token', agreement.tokenAddress, lower(job.tokenAddress)],
    ['return address', returnAddress, lower(job.returnAddress)],
    ['payer', returnAddress === null ? activation.payer : null, lower(job.payerClaim?.payer)],
    ['deposit', BigInt(activation.depositWei), job.depositWei],
    ['price', BigInt(agreement.seenPriceX96), plan.seenPriceX96 ?? 0n],
    ['price band', agreement.bandBps, plan.bandBps],
    ['slippage limit', agreement.slippageBps, plan.slippageBps],
    ['impact limit', agreement.impactCapBps, plan.impactCapBps],
    ['time between orders', activation.slotMs, plan.slotMs],
    ['end of trading', Date.parse(activation.tradingEndsAt), plan.tradingEndsAt.getTime()],
    ['latest end', Date.parse(activation.latestEndAt), plan.latestEndAt.getTime()],
  ];
  const different = compared.find(([, agreed, told]) => agreed !== told);
  if (different) return `${NOT_AGREED}: its ${different[0]} is not the agreed one`;
  if (job.depositWei < leastWei) return `${NOT_AGREED}: its payment is less than the agreed amount`;
  if (Date.parse(activation.paidAt) > Date.parse(agreement.deadline))
    return `${NOT_AGREED}: it was paid after the agreed deadline`;
  return undefined;
}
