import type { Address, Hash } from 'viem';
import { type ChainClient, hostsOf } from '../client.ts';
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

/** Rules for proofs of transfers. */
export interface ProofRules {
  readonly chainId: number;
  /** Whether one host's answer is enough where no second one answers. */
  readonly trustsSingle: boolean;
}

/** Checks a claimed transfer on the chain: at most two requests to each host. Source: docs/adr/0054, docs/adr/0075. */
export async function proveTransfer(
  client: ChainClient,
  claim: ClaimedTransfer,
  { chainId, trustsSingle }: ProofRules,
): Promise<LocatedProof> {
  const hosts = hostsOf(client);
  const { signed } = await signedTransaction(hosts, claim.transactionHash, chainId);
  // The hash binds these fields: one host that shows them is enough to refute.
  if (signed && !isClaimed(signed, claim)) return { proof: 'false' };
  const answers = await Promise.all(hosts.map((host) => askByHash<WireReceipt>(host, RECEIPT, claim.transactionHash)));
  const received = answers.filter((answer) => answer !== undefined);
  if (received.length < 2 && !(trustsSingle && received.length === 1)) return { proof: 'unanswered' };
  const receipt = agreedReceipt(received);
  const isShown = received.some((one) => one?.status === '0x1');
  if (!signed || !receipt) return { proof: isShown ? 'unanswered' : 'contradicted' };
  return { proof: 'proven', blockNumber: Number(receipt.blockNumber) };
}

const RECEIPT = 'eth_getTransactionReceipt';

/** The receipt of a success that more than half of the hosts show in the same block. */
function agreedReceipt(received: readonly (WireReceipt | null)[]): WireReceipt | undefined {
  const succeeded = received.filter((receipt) => receipt?.status === '0x1');
  const alike = Map.groupBy(succeeded, (receipt) => `${receipt?.blockNumber} ${receipt?.blockHash}`);
  const [largest = []] = [...alike.values()].sort((one, other) => other.length - one.length);
  return largest.length * 2 > received.length ? (largest[0] ?? undefined) : undefined;
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
 * most one request to each host.
 * @param enoughHosts if so many hosts show it without a valid signature, it is no transfer @returns `unanswered` where fewer show it
 */
export async function findPlainTransfer(
  client: ChainClient,
  { transactionHash, to, chainId }: SoughtTransfer,
  enoughHosts: number,
): Promise<Transfer | 'none' | 'unanswered'> {
  const { signed, shownBy } = await signedTransaction(hostsOf(client), transactionHash, chainId);
  if (!signed) return shownBy < enoughHosts ? 'unanswered' : 'none';
  if (signed.to?.toLowerCase() !== to || BigInt(signed.value) === 0n) return 'none';
  return { transactionHash, from: signed.from, to, amountWei: BigInt(signed.value) };
}
