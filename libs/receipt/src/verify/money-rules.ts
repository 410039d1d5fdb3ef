import { smaller } from '@maker/rules';
import { movementsOf, readTokenTransfer } from '../chain/token-movements.ts';
import type { Deposit, SignedTransfer } from '../file/receipt-file.ts';
import { addOrder, NO_ORDERS, sumsOf } from '../file/sums.ts';
import { refundsBroken } from './entitlements.ts';
import { type Evidence, entryOf, hype, nameOf } from './evidence.ts';
import { treasuries } from './service-rules.ts';

/** Only the payer's money trades. Source: design § 2.1. */
export function* moneyIn(evidence: Evidence): Generator<string> {
  const { receipt } = evidence;
  const hashes = new Set<string>();
  for (const deposit of receipt.deposits) {
    if (deposit.transactionHash !== null) {
      if (hashes.has(deposit.transactionHash)) yield `Deposit ${deposit.transactionHash} is counted twice.`;
      hashes.add(deposit.transactionHash);
    }
    yield* depositBroken(evidence, deposit);
  }
  const paying = receipt.deposits.filter(({ pays }) => pays);
  const paidWei = paying.reduce((sum, { amountWei }) => sum + BigInt(amountWei), 0n);
  if (paidWei !== BigInt(receipt.rules.paidWei)) {
    yield `The deposits that pay for the job add up to ${hype(paidWei)}, not to ${hype(BigInt(receipt.rules.paidWei))}.`;
  }
  const senders = new Set(paying.map(({ from }) => from));
  const [only] = senders;
  const payer = senders.size === 1 && only ? only : null;
  if (payer !== receipt.payer) {
    yield payer === null
      ? `The receipt names ${receipt.payer} as the payer, but the payment is not from this address alone.`
      : `The payment is from ${payer}, but the receipt names ${receipt.payer ?? 'no payer'}.`;
  }
  const treasury = [...treasuries(evidence)].find((address) => senders.has(address));
  if (treasury) yield `The treasury ${treasury} paid for the job: its money must not trade.`;
  if (senders.has(receipt.wallet)) yield 'The wallet paid for itself.';
}

function* depositBroken({ facts, receipt }: Evidence, deposit: Deposit): Generator<string> {
  const { kind, transactionHash, from, blockNumber } = deposit;
  const name = `The deposit of ${hype(BigInt(deposit.amountWei))}`;
  if (transactionHash === null) {
    if (kind === 'transfer') yield `${name} is listed as a transfer, but names no transaction.`;
    if (from !== null) yield `${name} names a sender, but no transaction that proves it.`;
    return;
  }
  const fact = facts.transactions.get(transactionHash);
  if (!fact) {
    yield `${name} names transaction ${transactionHash}, which is not on the chain.`;
    return;
  }
  if (!fact.succeeded) yield `${name} names transaction ${transactionHash}, which reverted.`;
  if (fact.blockNumber !== blockNumber) yield `${name} came in block ${fact.blockNumber}, not in ${blockNumber}.`;
  const isTransfer = fact.to === receipt.wallet && fact.valueWei > 0n;
  if (isTransfer !== (kind === 'transfer')) {
    yield isTransfer
      ? `${name} is listed as untraced, but is a plain transfer from ${fact.from}.`
      : `${name} names transaction ${transactionHash}, which does not pay the job's wallet.`;
  }
  if (!isTransfer) {
    if (from !== null) yield `${name} names a sender that the chain does not show.`;
    return;
  }
  if (fact.valueWei !== BigInt(deposit.amountWei)) yield `${name} is ${hype(fact.valueWei)} on the chain.`;
  if (fact.from !== from) yield `${name} came from ${fact.from}, not from ${from}.`;
}

/** Source: design § 4 'Fee' and 'Budget'. */
export function* fee(evidence: Evidence): Generator<string> {
  const { receipt, split, rules } = evidence;
  const paidWei = BigInt(receipt.rules.paidWei);
  if (BigInt(receipt.rules.feePercent) !== rules.feePercent)
    yield `The published fee is ${rules.feePercent} %, not ${receipt.rules.feePercent} %.`;
  const fees = receipt.transfers.filter(({ kind }) => kind === 'fee');
  for (const transfer of fees) yield* plainTransferBroken(evidence, transfer);
  const paid = fees.filter(({ succeeded }) => succeeded);
  if (paid.length > 1) yield `The fee was taken ${paid.length} times.`;
  const [once] = paid;
  if (!once) {
    if (receipt.orders.length > 0) yield 'Orders were placed, but the receipt shows no fee.';
    return;
  }
  if (BigInt(once.amount) !== split.feeWei) {
    yield `The fee is ${hype(BigInt(once.amount))}; ${rules.feePercent} % of ${hype(paidWei)} is ${hype(split.feeWei)}.`;
  }
  if (receipt.orders.some(({ nonce }) => nonce < once.nonce)) yield 'An order was placed before the fee was paid.';
}

/** The bought tokens are delivered. Source: design § 2.2. */
export function* delivery(evidence: Evidence): Generator<string> {
  const { receipt } = evidence;
  for (const transfer of receipt.transfers) {
    const name = nameOf({ transfer });
    const { logs, to, input, valueWei } = evidence.transaction(transfer.transactionHash);
    const out = movementsOf(logs, receipt.token.address).filter(({ from }) => from === receipt.wallet);
    const left = out.reduce((sum, { amount }) => sum + amount, 0n);
    if (transfer.kind !== 'delivery') {
      if (left > 0n) yield `${name} moved ${evidence.tokens(left)} out of the wallet.`;
      continue;
    }
    // Operators release wrongly sent tokens: such a delivery moves none of the job's token.
    const isOther = receipt.releasedAt !== null && left === 0n;
    if ((to !== receipt.token.address && !isOther) || valueWei !== 0n)
      yield `${name} is not a call of the token ${receipt.token.address}.`;
    const call = readTokenTransfer(input);
    if (!call) {
      yield `${name} is not a transfer of tokens.`;
      continue;
    }
    if (call.to !== transfer.to) yield `${name} goes to ${call.to}, not to ${transfer.to}.`;
    if (!mayReceive(evidence, call.to)) {
      yield `${name} goes to ${call.to}, which is neither the payer nor the return address.`;
    }
    const elsewhere = out.find((movement) => movement.to !== call.to);
    if (elsewhere) yield `${name} moved tokens to ${elsewhere.to} as well.`;
    // An event may overstate the amount: no more can have left the wallet than the call asked for.
    const moved = smaller(left, call.amount);
    if (moved !== BigInt(transfer.amount)) {
      yield `${name} moved ${evidence.tokens(moved)}, not ${evidence.tokens(BigInt(transfer.amount))}.`;
    }
  }
}

/** Source: design § 4 'Amounts' and 'Return address'. */
export function* returns(evidence: Evidence): Generator<string> {
  for (const transfer of evidence.receipt.transfers) {
    if (transfer.kind !== 'return' && transfer.kind !== 'refund') continue;
    yield* plainTransferBroken(evidence, transfer);
    if (transfer.kind === 'return' && transfer.succeeded && !mayReceive(evidence, transfer.to)) {
      yield `${nameOf({ transfer })} went to ${transfer.to}, which is owed nothing.`;
    }
  }
  yield* refundsBroken(evidence);
}

/** Whether an address may receive the payer's money. After a release any address may; the verdict then lists it as not known. */
function mayReceive({ recipients, receipt }: Evidence, to: SignedTransfer['to']): boolean {
  return recipients.includes(to) || receipt.releasedAt !== null;
}

function* plainTransferBroken(evidence: Evidence, transfer: SignedTransfer): Generator<string> {
  const fact = evidence.transaction(transfer.transactionHash);
  const name = nameOf({ transfer });
  if (fact.input !== '0x') yield `${name} calls a contract instead of only moving HYPE.`;
  if (fact.to !== transfer.to) yield `${name} went to ${fact.to}, not to ${transfer.to}.`;
  const movedWei = fact.succeeded ? fact.valueWei : 0n;
  if (movedWei !== BigInt(transfer.amount)) {
    yield `${name} moved ${hype(movedWei)}, not ${hype(BigInt(transfer.amount))}.`;
  }
}

/** The receipt accounts for every wei. Source: design § 5. */
export function* sums({ receipt, split }: Evidence): Generator<string> {
  const expected = sumsOf(receipt, receipt.orders.reduce(addOrder, NO_ORDERS));
  for (const [name, value] of Object.entries(expected)) {
    const reported = receipt.sums[name as keyof typeof expected];
    if (reported !== value) yield `The receipt's ${name} is ${reported}, but its entries add up to ${value}.`;
  }
  if (BigInt(receipt.sums.tradedWei) > split.orderBudgetWei) {
    yield `Orders spent ${hype(BigInt(receipt.sums.tradedWei))}, more than the order budget of ${hype(split.orderBudgetWei)}.`;
  }
}

/** The wallet holds the amount that the receipt lists as left. Source: design § 5. */
export function* balance(evidence: Evidence): Generator<string> {
  const { receipt, facts, isCurrent } = evidence;
  const { decimals } = receipt.token;
  if (facts.tokenDecimals !== null && facts.tokenDecimals !== decimals) {
    yield `The token has ${facts.tokenDecimals} decimals, not ${decimals}.`;
  }
  if (!isCurrent) return;
  const leftWei = BigInt(receipt.sums.leftWei);
  if (facts.wallet.balanceWei < leftWei) {
    yield `The wallet holds ${hype(facts.wallet.balanceWei)}, less than the ${hype(leftWei)} that the receipt lists as left.`;
  }
  if (evidence.missingTokens > 0n) yield* movedByOthers(evidence);
}

/** Finds tokens that another sender's transaction moved, by a signature of the wallet such as a permit. */
function* movedByOthers(evidence: Evidence): Generator<string> {
  const own = new Set(evidence.listed.map((one) => entryOf(one).transactionHash));
  for (const { transactionHash, amount } of evidence.facts.wallet.movedOut) {
    if (own.has(transactionHash)) continue;
    yield `${evidence.tokens(amount)} were bought and not delivered: they left the wallet in transaction ${transactionHash}, which it did not send.`;
  }
}
