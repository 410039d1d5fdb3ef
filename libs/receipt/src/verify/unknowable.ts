import { type Evidence, hype } from './evidence.ts';

/** What no reading of the chain can tell of a receipt, or not any more: said instead of passed over. */
export function* unknowable(evidence: Evidence): Generator<string> {
  const { receipt, facts, isCurrent, told } = evidence;
  const untraced = receipt.deposits.filter(({ kind }) => kind === 'untraced');
  if (untraced.length > 0) {
    const sum = untraced.reduce((total, { amountWei }) => total + BigInt(amountWei), 0n);
    yield `Who sent ${hype(sum)} that came without a plain transfer (from a contract or from HyperCore): the chain keeps no trace of it, only that it is there.`;
  }
  if (receipt.rules.seenPriceX96 !== null) {
    yield 'Which price the payer saw before paying: compare the one in the receipt with your own page.';
  }
  if (receipt.orders.length > 0) {
    yield 'What the exchanges quoted at the time: the chain shows no past states, only the minimum that each order held them to.';
  }
  if (receipt.payer !== null && receipt.returnAddress !== null && receipt.payer !== receipt.returnAddress) {
    yield `Whether it was the payer who named ${receipt.returnAddress} as the return address.`;
  }
  yield `That ${receipt.rules.treasury} is the service's treasury, and that the plan is the one shown before payment: the receipt says so under the wallet's signature.`;
  if (receipt.pauses.length > 0)
    yield 'Why the job paused: its reasons are what the service says; that nothing was bought meanwhile is checked.';
  if (receipt.releasedAt !== null) yield `Why an operator released what was held, at ${receipt.releasedAt}.`;
  if (!isCurrent) {
    yield `What the wallet did after this interim receipt: ${facts.wallet.nonce - told.length} more transactions. Ask for a newer one.`;
    return;
  }
  const surplusWei = facts.wallet.balanceWei - BigInt(receipt.sums.leftWei);
  if (surplusWei > 0n) yield `Where ${hype(surplusWei)} came from that reached the wallet and are not in the receipt.`;
  if (facts.wallet.tokens === null) yield 'How many tokens the wallet holds: the token does not answer.';
  if (evidence.missingTokens > 0n) {
    yield `Where ${evidence.tokens(evidence.missingTokens)} are that were bought: they were not delivered, the wallet does not show them, and the token tells of nobody who moved them. It has kept or taken them itself.`;
  }
  const extra = BigInt(receipt.sums.deliveredTokens) - BigInt(receipt.sums.boughtTokens);
  if (extra > 0n) yield `Where ${evidence.tokens(extra)} came from that were delivered and not bought by the job.`;
}
