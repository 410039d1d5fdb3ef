import { smaller } from '@maker/rules';
import { movementsOf, readTokenTransfer } from '../chain/token-movements.ts';
import type { Deposit, SignedTransfer } from '../file/receipt-file.ts';
import { addOrder, NO_ORDERS, sumsOf } from '../file/sums.ts';
import { refundsBroken } from './entitlements.ts';
import { type Evidence, entryOf, hype, nameOf, type Rule } from './evidence.ts';
import { treasuries } from './service-rules.ts';

/** Source: design § 2.1: what trades is the payer's, and nobody else's. */
export const moneyIn: Rule = {
  id: 'money_in',
  statement: ({ receipt }) => {
    const paid = hype(BigInt(receipt.rules.paidWei));
    return receipt.payer === null
      ? `The job was paid with ${paid}, which no single sender's transfers explain.`
      : `The job was paid with ${paid} by ${receipt.payer} alone.`;
  },
  *broken(evidence) {
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
      yield `The deposits that pay for the job come to ${hype(paidWei)}, not to ${hype(BigInt(receipt.rules.paidWei))}.`;
    }
    const senders = new Set(paying.map(({ from }) => from));
    const [only] = senders;
    const payer = senders.size === 1 && only ? only : null;
    if (payer !== receipt.payer) {
      yield payer === null
        ? `The receipt names ${receipt.payer} as the payer, but the money that pays for the job is not from there alone.`
        : `The money that pays for the job is from ${payer}, and the receipt names ${receipt.payer ?? 'nobody'}.`;
    }
    const treasury = [...treasuries(evidence)].find((address) => senders.has(address));
    if (treasury) yield `The treasury ${treasury} paid for the job: its money must not trade.`;
    if (senders.has(receipt.wallet)) yield 'The wallet paid for itself.';
  },
};

function* depositBroken({ facts, receipt }: Evidence, deposit: Deposit): Generator<string> {
  const { kind, transactionHash, from, blockNumber } = deposit;
  const name = `The deposit of ${hype(BigInt(deposit.amountWei))}`;
  if (transactionHash === null) {
    if (kind === 'transfer') yield `${name} is said to be a transfer, and names no transaction.`;
    if (from !== null) yield `${name} names a sender, and no transaction by which to tell.`;
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
      ? `${name} is said to be untraced, and is a plain transfer of ${fact.from}.`
      : `${name} names transaction ${transactionHash}, which does not pay the job's wallet.`;
  }
  if (!isTransfer) {
    if (from !== null) yield `${name} names a sender of whom the chain does not tell.`;
    return;
  }
  if (fact.valueWei !== BigInt(deposit.amountWei)) yield `${name} is one of ${hype(fact.valueWei)} on the chain.`;
  if (fact.from !== from) yield `${name} came from ${fact.from}, not from ${from}.`;
}

/** Source: design § 4 'Fee' and 'Budget'. */
export const fee: Rule = {
  id: 'fee',
  statement: ({ receipt, rules }) => {
    const paid = receipt.transfers.find(({ kind, succeeded }) => kind === 'fee' && succeeded);
    return paid
      ? `The fee is ${rules.feePercent} % of what the job was paid with, sent once: ${hype(BigInt(paid.amount))} to ${paid.to}.`
      : 'No fee was taken, and no order was placed.';
  },
  *broken(evidence) {
    const { receipt, split, rules } = evidence;
    const paidWei = BigInt(receipt.rules.paidWei);
    if (BigInt(receipt.rules.feePercent) !== rules.feePercent)
      yield `The fee is published as ${rules.feePercent} %, not ${receipt.rules.feePercent} %.`;
    const fees = receipt.transfers.filter(({ kind }) => kind === 'fee');
    for (const transfer of fees) yield* plainTransferBroken(evidence, transfer);
    const paid = fees.filter(({ succeeded }) => succeeded);
    if (paid.length > 1) yield `The fee was taken ${paid.length} times.`;
    const [once] = paid;
    if (!once) {
      if (receipt.orders.length > 0) yield 'Orders were placed, and the receipt shows no fee.';
      return;
    }
    if (BigInt(once.amount) !== split.feeWei) {
      yield `The fee is ${hype(BigInt(once.amount))}; ${rules.feePercent} % of ${hype(paidWei)} are ${hype(split.feeWei)}.`;
    }
    if (receipt.orders.some(({ nonce }) => nonce < once.nonce)) yield 'An order was placed before the fee was paid.';
  },
};

/** Source: design § 2.2: what was bought is delivered. */
export const delivery: Rule = {
  id: 'delivery',
  statement: (evidence) => {
    const sent = sentTo(evidence, ['delivery'], (amount) => evidence.tokens(amount));
    return sent === '' ? 'Nothing was delivered yet.' : `Delivered: ${sent}.`;
  },
  *broken(evidence) {
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
      // Operators release tokens that were sent to the wallet by mistake: none of the job's own leave with them.
      const isOther = receipt.releasedAt !== null && left === 0n;
      if ((to !== receipt.token.address && !isOther) || valueWei !== 0n)
        yield `${name} is no call of the token ${receipt.token.address}.`;
      const call = readTokenTransfer(input);
      if (!call) {
        yield `${name} does something else with the token than to send it.`;
        continue;
      }
      if (call.to !== transfer.to) yield `${name} goes to ${call.to}, not to ${transfer.to}.`;
      if (!mayReceive(evidence, call.to)) {
        yield `${name} goes to ${call.to}, which is neither the payer nor the return address.`;
      }
      const elsewhere = out.find((movement) => movement.to !== call.to);
      if (elsewhere) yield `${name} moved tokens to ${elsewhere.to} as well.`;
      // An event may boast: no more can have left the wallet than the call asked for, which is all that it had.
      const moved = smaller(left, call.amount);
      if (moved !== BigInt(transfer.amount)) {
        yield `${name} moved ${evidence.tokens(moved)}, not ${evidence.tokens(BigInt(transfer.amount))}.`;
      }
    }
  },
};

/** Source: design § 4 'Amounts' and 'Return address'. */
export const returns: Rule = {
  id: 'returns',
  statement: (evidence) => {
    const rest = sentTo(evidence, ['return'], hype);
    const refunds = sentTo(evidence, ['refund'], hype);
    const other = refunds === '' ? '' : `; of deposits that pay for no order, ${refunds}`;
    return `Returned: ${rest === '' ? 'nothing yet' : rest}${other}.`;
  },
  *broken(evidence) {
    for (const transfer of evidence.receipt.transfers) {
      if (transfer.kind !== 'return' && transfer.kind !== 'refund') continue;
      yield* plainTransferBroken(evidence, transfer);
      if (transfer.kind === 'return' && transfer.succeeded && !mayReceive(evidence, transfer.to)) {
        yield `${nameOf({ transfer })} went to ${transfer.to}, to whom nothing is owed.`;
      }
    }
    yield* refundsBroken(evidence);
  },
};

/** Whether what is the payer's may go there. After a release anybody may have been named: who got something is told as not proven. */
function mayReceive({ owners, receipt }: Evidence, to: SignedTransfer['to']): boolean {
  return owners.includes(to) || receipt.releasedAt !== null;
}

/** What went to whom, as people read it; empty where nothing did. */
function sentTo(
  { receipt }: Evidence,
  kinds: readonly SignedTransfer['kind'][],
  written: (amount: bigint) => string,
): string {
  const sums = new Map<string, bigint>();
  for (const { kind, succeeded, to, amount } of receipt.transfers) {
    if (succeeded && kinds.includes(kind)) sums.set(to, (sums.get(to) ?? 0n) + BigInt(amount));
  }
  const named = (to: string) => (to === receipt.payer ? `${to}, the payer` : to);
  return [...sums].map(([to, amount]) => `${written(amount)} to ${named(to)}`).join('; ');
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

/** Source: design § 5: every wei, within the receipt. */
export const sums: Rule = {
  id: 'sums',
  statement: ({ receipt: { sums: told } }) =>
    `Every wei is explained: ${hype(BigInt(told.depositsWei))} = fee ${hype(BigInt(told.feeWei))} + orders ${hype(BigInt(told.tradedWei))} + gas ${hype(BigInt(told.gasWei))} + returned ${hype(BigInt(told.returnedWei) + BigInt(told.refundedWei))} + left ${hype(BigInt(told.leftWei))}.`,
  *broken({ receipt, split }) {
    const expected = sumsOf(receipt, receipt.orders.reduce(addOrder, NO_ORDERS));
    for (const [name, value] of Object.entries(expected)) {
      const told = receipt.sums[name as keyof typeof expected];
      if (told !== value) yield `The receipt's ${name} is ${told}; what it lists comes to ${value}.`;
    }
    if (BigInt(receipt.sums.tradedWei) > split.orderBudgetWei) {
      yield `Orders spent ${hype(BigInt(receipt.sums.tradedWei))}, more than the ${hype(split.orderBudgetWei)} that were for them.`;
    }
  },
};

/** Source: design § 5: what the receipt says is left is there. */
export const balance: Rule = {
  id: 'balance',
  statement: (evidence) =>
    evidence.isCurrent
      ? `The wallet holds ${hype(evidence.facts.wallet.balanceWei)} now, which covers what the receipt says is left.`
      : 'What the wallet holds now is of a later time than this receipt.',
  *broken(evidence) {
    const { receipt, facts, isCurrent } = evidence;
    const { decimals } = receipt.token;
    if (facts.tokenDecimals !== null && facts.tokenDecimals !== decimals) {
      yield `The token has ${facts.tokenDecimals} decimals, not ${decimals}.`;
    }
    if (!isCurrent) return;
    const leftWei = BigInt(receipt.sums.leftWei);
    if (facts.wallet.balanceWei < leftWei) {
      yield `The wallet holds ${hype(facts.wallet.balanceWei)}, less than the ${hype(leftWei)} that the receipt says are left.`;
    }
    if (evidence.missingTokens > 0n) yield* movedByOthers(evidence);
  },
};

/** What the wallet signed without sending it, such as an allowance, moves its tokens in somebody else's transaction. */
function* movedByOthers(evidence: Evidence): Generator<string> {
  const own = new Set(evidence.told.map((one) => entryOf(one).transactionHash));
  for (const { transactionHash, amount } of evidence.facts.wallet.movedOut) {
    if (own.has(transactionHash)) continue;
    yield `${evidence.tokens(amount)} left the wallet in transaction ${transactionHash}, which it did not send: they were bought and not delivered.`;
  }
}
