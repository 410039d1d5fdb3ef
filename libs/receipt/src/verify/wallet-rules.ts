import { type Evidence, entryOf, nameOf, type Rule, type Told, timeOf } from './evidence.ts';

/** The endpoint is of the receipt's chain, and has its newest block. */
export const sameChain: Rule = {
  id: 'chain',
  statement: ({ receipt }) =>
    receipt.asOf === null
      ? `The chain is ${receipt.chainId}.`
      : `The chain is ${receipt.chainId}, and block ${receipt.asOf.blockNumber}, up to which the receipt tells, is on it.`,
  *broken({ receipt, facts, told }) {
    if (facts.chainId !== receipt.chainId) {
      yield `The receipt is of chain ${receipt.chainId}, and the endpoint is of chain ${facts.chainId}.`;
    }
    const newest = told.length === 0 ? null : Math.max(...told.map((one) => entryOf(one).blockNumber));
    if (newest !== (receipt.asOf?.blockNumber ?? null)) {
      yield `The receipt says that it tells up to block ${receipt.asOf?.blockNumber ?? 'none'}, but its newest transaction is in block ${newest ?? 'none'}.`;
    }
    if (receipt.asOf && facts.asOfBlockHash !== receipt.asOf.blockHash) {
      yield `Block ${receipt.asOf.blockNumber} of the chain has another hash than the receipt says.`;
    }
  },
};

/** Source: design § 2.1. */
export const oneWallet: Rule = {
  id: 'wallet',
  statement: ({ receipt, told, isCurrent }) =>
    isCurrent
      ? `One wallet: ${receipt.wallet} has sent ${told.length} transactions in its life, and the receipt explains each.`
      : `One wallet: the receipt explains the first ${told.length} transactions that ${receipt.wallet} has sent.`,
  *broken(evidence) {
    const { facts, told, receipt } = evidence;
    if (facts.wallet.hasCode) yield `${receipt.wallet} is a contract, so that others may move what it holds.`;
    for (const [index, one] of told.entries()) yield* notAsTold(evidence, one, index);
    const { nonce } = facts.wallet;
    if (nonce < told.length) {
      yield `The wallet has sent ${nonce} transactions, fewer than the ${told.length} that the receipt tells of.`;
    }
    if (nonce > told.length && receipt.state === 'final') {
      yield `The wallet has sent ${nonce} transactions, and the receipt explains only ${told.length}.`;
    }
    const newest = told.find((one) => entryOf(one).blockNumber === receipt.asOf?.blockNumber);
    if (receipt.asOf && newest) {
      const at = timeOf(evidence.transaction(entryOf(newest).transactionHash).blockSeconds);
      if (at !== receipt.asOf.at)
        yield `Block ${receipt.asOf.blockNumber} is of ${at}, and the receipt says ${receipt.asOf.at}.`;
    }
  },
};

function* notAsTold({ facts, receipt }: Evidence, told: Told, index: number): Generator<string> {
  const entry = entryOf(told);
  const name = nameOf(told);
  if (entry.nonce !== index) {
    yield index > entry.nonce
      ? `The receipt tells twice of the wallet's transaction with nonce ${entry.nonce}.`
      : `The receipt does not explain the wallet's transaction with nonce ${index}.`;
  }
  const fact = facts.transactions.get(entry.transactionHash);
  if (!fact) {
    yield `${name} names transaction ${entry.transactionHash}, which is not on the chain.`;
    return;
  }
  if (fact.from !== receipt.wallet) yield `${name} was sent by ${fact.from}, not by the job's wallet.`;
  if (fact.nonce !== entry.nonce) yield `${name} has nonce ${fact.nonce} on the chain, not ${entry.nonce}.`;
  if (fact.blockNumber !== entry.blockNumber) {
    yield `${name} is in block ${fact.blockNumber}, not in ${entry.blockNumber}.`;
  }
  if (fact.gasWei !== BigInt(entry.gasWei)) yield `${name} cost ${fact.gasWei} wei of gas, not ${entry.gasWei}.`;
  const succeeded = 'order' in told ? told.order.result !== 'reverted' : told.transfer.succeeded;
  if (fact.succeeded !== succeeded) {
    yield `${name} ${fact.succeeded ? 'succeeded' : 'reverted'} on the chain, and the receipt says otherwise.`;
  }
  if ('order' in told && told.order.minedAt !== timeOf(fact.blockSeconds)) {
    yield `${name} was mined at ${timeOf(fact.blockSeconds)}, not at ${told.order.minedAt}.`;
  }
}
