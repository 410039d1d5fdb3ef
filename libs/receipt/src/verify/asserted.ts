import { quoted } from '../file/quoted.ts';
import { type Evidence, hype } from './evidence.ts';
import { untracedWei } from './unknowable.ts';

/** Statements of the service that the chain does not prove. They show values, so that a payer can compare them with the job's page. */
export function* asserted(evidence: Evidence): Generator<string> {
  const { receipt, terms } = evidence;
  const { rules, ending, token, payer, returnAddress } = receipt;
  yield `The service says that this is job ${quoted(receipt.jobId)}, and that the token is called ${quoted(token.symbol)}.`;
  if (!terms && receipt.orders.length > 0) yield planSentence(evidence);
  if (!terms && rules.seenPriceX96 !== null)
    yield `The service says that you saw ${evidence.price(BigInt(rules.seenPriceX96))} before you paid, and that no order was placed more than ${rules.bandBps / 100} % above it.`;
  if (!terms && returnAddress !== null && returnAddress !== payer)
    yield `The service says that ${returnAddress} is the return address.`;
  if (untracedWei(receipt) > 0n)
    yield `The service says that ${hype(untracedWei(receipt))} came without a plain transfer: from a contract or from HyperCore.`;
  if (receipt.orders.length > 0) yield quotesSentence(evidence);
  for (const { reason, from, to } of receipt.pauses) {
    yield `The service says that the job paused from ${from} to ${to ?? 'now'}: ${quoted(reason)}. No order was mined in the pause, except in its first three minutes.`;
  }
  if (ending)
    yield `The service says that the job ended at ${ending.at} (${quoted(ending.kind)}): ${quoted(ending.message)}.`;
  if (receipt.heldReason !== null)
    yield `The service says why HYPE or tokens stay in the wallet: ${quoted(receipt.heldReason)}.`;
  if (receipt.releasedAt !== null)
    yield `The service says that operators released held money at ${receipt.releasedAt}.`;
}

function planSentence({ receipt: { rules } }: Evidence): string {
  const ends = rules.tradingEndsAt === null ? 'no end of trading' : `an end of trading at ${rules.tradingEndsAt}`;
  const latest = rules.latestEndAt === null ? 'no latest end' : `a latest end at ${rules.latestEndAt}`;
  return `The service says that it published one standard order every ${rules.slotMs} ms, ${ends}, ${latest}, a price band of ${rules.bandBps / 100} % and a slippage limit of ${rules.slippageBps / 100} %.`;
}

function quotesSentence(evidence: Evidence): string {
  const { orders } = evidence.receipt;
  const quotedTokens = orders.reduce((sum, order) => sum + BigInt(order.quotedTokens), 0n);
  const minimumTokens = orders.reduce((sum, order) => sum + BigInt(order.minimumTokens), 0n);
  const wei = orders.reduce((sum, order) => sum + BigInt(order.tradeWei), 0n);
  return `The service says that exchanges quoted ${evidence.tokens(quotedTokens)} in total for orders of ${hype(wei)}; the calls of the orders asked for at least ${evidence.tokens(minimumTokens)}.`;
}
