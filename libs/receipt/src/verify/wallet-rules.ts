import { type Evidence, entryOf, type ListedTransaction, nameOf, timeOf } from './evidence.ts';

/** The endpoint serves the receipt's chain and has its newest block. */
export function* sameChain({ receipt, facts, listed }: Evidence): Generator<string> {
  if (facts.chainId !== receipt.chainId) {
    yield `The receipt is of chain ${receipt.chainId}, but the endpoint is of chain ${facts.chainId}.`;
  }
  const newest = listed.length === 0 ? null : Math.max(...listed.map((one) => entryOf(one).blockNumber));
  if (newest !== (receipt.asOf?.blockNumber ?? null)) {
    yield `The receipt says that its newest block is ${receipt.asOf?.blockNumber ?? 'none'}, but its newest transaction is in block ${newest ?? 'none'}.`;
  }
  if (receipt.asOf && facts.asOfBlockHash !== receipt.asOf.blockHash) {
    yield `Block ${receipt.asOf.blockNumber} of the chain has another hash than the receipt says.`;
  }
}

/** The receipt lists every transaction of one wallet. Source: design § 2.1. */
export function* oneWallet(evidence: Evidence): Generator<string> {
  const { facts, listed, receipt } = evidence;
  if (facts.wallet.hasCode) yield `${receipt.wallet} is a contract, so others may move its money.`;
  for (const [index, one] of listed.entries()) yield* transactionBroken(evidence, one, index);
  const { nonce } = facts.wallet;
  if (nonce < listed.length) {
    yield `The wallet has sent ${nonce} transactions, fewer than the ${listed.length} in the receipt.`;
  }
  if (nonce > listed.length && receipt.state === 'final') {
    yield `The wallet has sent ${nonce} transactions, but the receipt explains only ${listed.length}.`;
  }
  const newest = listed.find((one) => entryOf(one).blockNumber === receipt.asOf?.blockNumber);
  if (receipt.asOf && newest) {
    const at = timeOf(evidence.transaction(entryOf(newest).transactionHash).blockSeconds);
    if (at !== receipt.asOf.at)
      yield `Block ${receipt.asOf.blockNumber} is of ${at}, but the receipt says ${receipt.asOf.at}.`;
  }
}

function* transactionBroken({ facts, receipt }: Evidence, listed: ListedTransaction, index: number): Generator<string> {
  const entry = entryOf(listed);
  const name = nameOf(listed);
  if (entry.nonce !== index) {
    yield index > entry.nonce
      ? `The receipt lists the wallet's transaction with nonce ${entry.nonce} twice.`
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
  const succeeded = 'order' in listed ? listed.order.result !== 'reverted' : listed.transfer.succeeded;
  if (fact.succeeded !== succeeded) {
    yield `${name} ${fact.succeeded ? 'succeeded' : 'reverted'} on the chain, but the receipt says otherwise.`;
  }
  if ('order' in listed && listed.order.minedAt !== timeOf(fact.blockSeconds)) {
    yield `${name} was mined at ${timeOf(fact.blockSeconds)}, not at ${listed.order.minedAt}.`;
  }
}
