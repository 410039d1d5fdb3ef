import type { AgreedTerms } from '@maker/signing/terms';
import { type Evidence, timeOf } from './evidence.ts';

/** Clocks of services and blocks differ by less, ms. */
const CLOCK_TOLERANCE_MS = 60_000;

/** The job is what its agreement says, signed before the payment. Source: docs/adr/0167. */
export function* agreement(evidence: Evidence): Generator<string> {
  const { receipt, terms } = evidence;
  const { problem } = evidence.agreed;
  if (problem !== undefined) yield `The job differs from its agreement: ${problem}.`;
  if (!terms) return;
  if (!terms.activation) yield 'The job differs from its agreement: its activation is not signed.';
  for (const [what, agreed, told] of compared(evidence, terms)) {
    if (agreed !== told) yield `The ${what} was agreed as ${agreed}, but the receipt says ${told}.`;
  }
  if (BigInt(receipt.rules.paidWei) < terms.leastWei) yield 'The payment is less than the agreed amount.';
  yield* paymentBroken(evidence, terms);
  yield* recipientBroken(evidence, terms);
}

type Compared = readonly [what: string, agreed: string | number, told: string | number | null];

function compared({ receipt }: Evidence, { agreement, activation }: AgreedTerms): readonly Compared[] {
  const { rules } = receipt;
  const isPriceAgreed = agreement.seenPriceX96 !== '0';
  return [
    ['job', agreement.jobId, receipt.jobId],
    ['chain', agreement.chainId, receipt.chainId],
    ['wallet', agreement.wallet, receipt.wallet],
    ['token', agreement.tokenAddress, receipt.token.address],
    ...(isPriceAgreed ? [['price', agreement.seenPriceX96, rules.seenPriceX96] as const] : []),
    ['price band in basis points', agreement.bandBps, rules.bandBps],
    ['slippage limit in basis points', agreement.slippageBps, rules.slippageBps],
    ...(activation
      ? ([
          ['payment in wei', activation.depositWei, rules.paidWei],
          ['time between orders in ms', activation.slotMs, rules.slotMs],
          ['end of trading', activation.tradingEndsAt, rules.tradingEndsAt],
          ['latest end', activation.latestEndAt, rules.latestEndAt],
        ] as const)
      : []),
  ];
}

/** The payment came after the agreement and until its deadline, by the chain's clock. */
function* paymentBroken({ receipt, facts }: Evidence, { agreement }: AgreedTerms): Generator<string> {
  for (const { pays, transactionHash } of receipt.deposits) {
    const fact = pays && transactionHash !== null && facts.transactions.get(transactionHash);
    if (!fact) continue;
    const [atMs, at] = [fact.blockSeconds * 1000, timeOf(fact.blockSeconds)];
    if (atMs > Date.parse(agreement.deadline))
      yield `The payment came at ${at}, after the agreed deadline ${agreement.deadline}.`;
    if (atMs < Date.parse(agreement.createdAt) - CLOCK_TOLERANCE_MS)
      yield `The payment came at ${at}, before the agreement of ${agreement.createdAt}.`;
  }
}

/** The return address is the agreed one, or the payer. A release by operators may name another one. */
function* recipientBroken({ receipt, recipients }: Evidence, terms: AgreedTerms): Generator<string> {
  const { returnAddress, releasedAt } = receipt;
  if (releasedAt !== null || returnAddress === null || recipients.includes(returnAddress)) return;
  yield terms.returnAddress === null
    ? `The receipt names the return address ${returnAddress}, which did not pay for the job, and no address was agreed.`
    : `The return address was agreed as ${terms.returnAddress}, but the receipt says ${returnAddress}.`;
}

/** The sentence that begins the verdict of a job without an agreement. */
export function* notAgreed({ receipt }: Evidence): Generator<string> {
  if (!receipt.agreement)
    yield 'Not agreed before payment: the receipt has no agreement, and anyone can make a wallet and sign such a file.';
}
