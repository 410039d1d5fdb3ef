import type { Address, Hash } from 'viem';
import type { Hosts } from '../agreement/hosts.ts';
import { quorumOf } from '../quorum.ts';
import { rpcRequestOf } from './rpc-request.ts';
import type { Transfer } from './scan-events.ts';
import { askByHash, signedTransaction } from './signed-transfer.ts';
import type { WireReceipt } from './successful-transfers.ts';
import type { WireTransaction } from './wire-block.ts';

/** A plain transfer that another service claims. */
export interface ClaimedTransfer extends Transfer {
  readonly from: Address;
}

/**
 * Result of a claim's check. `proven`: its signature binds sender, recipient and value, and two hosts show it in one block. `false`: its
 * signature refutes it. `contradicted`: at least two hosts answered, and none shows its success. `unanswered`: fewer than two answered, or
 * some show its success and others do not yet.
 */
export type TransferProof = 'proven' | 'false' | 'contradicted' | 'unanswered';

/** Result of a claim's check, and the transfer's block; only a proven one has a block. */
export interface LocatedProof {
  readonly proof: TransferProof;
  readonly blockNumber?: number;
}

/** Checks a claimed transfer on the chain: at most two requests to each host. Source: docs/adr/0054, docs/adr/0075. */
export async function proveTransfer(hosts: Hosts, claim: ClaimedTransfer, chainId: number): Promise<LocatedProof> {
  const asked = hosts.each(true).map(rpcRequestOf);
  const { signed } = await signedTransaction(asked, claim.transactionHash, chainId);
  // The hash binds these fields: one host that shows them is enough to refute.
  if (signed && !isClaimed(signed, claim)) return { proof: 'false' };
  const answers = await Promise.all(
    asked.map((request) => askByHash<WireReceipt>(request, RECEIPT, claim.transactionHash)),
  );
  const received = answers.filter((answer) => answer !== undefined);
  const tolerance = (one: WireReceipt | null, other: WireReceipt | null) =>
    blockOfSuccess(one) === blockOfSuccess(other);
  const verdict = quorumOf(received, hosts.trustsSingle, { tolerance });
  if (verdict.kind === 'unanswered') return { proof: 'unanswered' };
  const receipt = verdict.kind === 'agreed' ? verdict.answers[0] : null;
  if (signed && receipt && blockOfSuccess(receipt))
    return { proof: 'proven', blockNumber: Number(receipt.blockNumber) };
  return { proof: received.some(blockOfSuccess) ? 'unanswered' : 'contradicted' };
}

const RECEIPT = 'eth_getTransactionReceipt';

/** The block in which a transaction succeeded; undefined where it failed or is in none. */
function blockOfSuccess(receipt: WireReceipt | null): string | undefined {
  return receipt?.status === '0x1' ? `${receipt.blockNumber} ${receipt.blockHash}` : undefined;
}

function isClaimed({ from, to, value }: WireTransaction, claim: ClaimedTransfer): boolean {
  return (
    from.toLowerCase() === claim.from.toLowerCase() &&
    to?.toLowerCase() === claim.to.toLowerCase() &&
    BigInt(value) === claim.amountWei
  );
}

/** The transfer that {@link findPlainTransfer} searches. */
export interface SoughtTransfer {
  readonly transactionHash: Hash;
  /** In lower case. */
  readonly to: Address;
  readonly chainId: number;
}

/**
 * Reads a transaction as a plain transfer to an address, with its signer as the sender, from the first host that shows its signature. At
 * most one request to each host. @returns `none` where enough hosts show it without a valid signature, `unanswered` where fewer show it
 */
export async function findPlainTransfer(
  hosts: Hosts,
  { transactionHash, to, chainId }: SoughtTransfer,
): Promise<Transfer | 'none' | 'unanswered'> {
  const { signed, shownBy } = await signedTransaction(hosts.each(true).map(rpcRequestOf), transactionHash, chainId);
  if (!signed) return shownBy < hosts.enough ? 'unanswered' : 'none';
  if (signed.to?.toLowerCase() !== to || BigInt(signed.value) === 0n) return 'none';
  return { transactionHash, from: signed.from, to, amountWei: BigInt(signed.value) };
}
