import { isDust } from '@maker/rules';
import {
  type Address,
  formatTransaction,
  type Hash,
  type Hex,
  keccak256,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerializable,
} from 'viem';
import type { EndpointHost } from '../endpoints/endpoint-pool.ts';
import type { RpcMethodName } from '../rpc-methods.ts';
import type { RpcRequest } from './rpc-request.ts';
import type { Transfer } from './scan-events.ts';
import type { WireBlock, WireTransaction } from './wire-block.ts';

/** A block's transfers with a proven sender, and those without. */
export interface ProvenTransfers {
  readonly proven: readonly Transfer[];
  readonly unproven: readonly Transfer[];
}

/** Settings for proofs of senders. */
export interface ProofOptions {
  /** The chain that signatures must be for. */
  readonly chainId?: number | undefined;
  /** Hosts to ask for a transaction whose signature does not prove its sender. */
  readonly hosts?: () => readonly EndpointHost[];
}

/** Most transactions of a block to ask hosts for: a node with more false ones cannot delay the scan further. */
const MOST_ASKED_FOR = 16;

/**
 * Sets the signer of each transfer's transaction as its sender, not the sender that a node reports. Separates the transfers without a provable
 * sender. Leaves dust unchanged, and credits from HyperCore, which have no sender.
 */
export async function proveTransfers(
  transfers: readonly Transfer[],
  block: WireBlock,
  { chainId, hosts = () => [] }: ProofOptions,
): Promise<ProvenTransfers> {
  // Most blocks have no such transfer, and their lists of transactions are long.
  if (transfers.every(({ amountWei }) => isDust(amountWei))) return { proven: transfers, unproven: [] };
  const transactions = new Map(block.transactions.map((transaction) => [transaction.hash, transaction]));
  const [proven, unproven]: [Transfer[], Transfer[]] = [[], []];
  let asked = 0;
  for (const transfer of transfers) {
    const signed = isDust(transfer.amountWei)
      ? transfer
      : await asSigned(transfer, transactions.get(transfer.transactionHash), {
          chainId,
          hosts: () => {
            asked += 1;
            return asked > MOST_ASKED_FOR ? [] : hosts();
          },
        });
    if (signed) proven.push(signed);
    else unproven.push(transfer);
  }
  return { proven, unproven };
}

/** Returns a transfer with its proven sender; one from HyperCore, which no host shows signed, unchanged; undefined if nothing proves it. */
async function asSigned(
  transfer: Transfer,
  shown: WireTransaction | undefined,
  { chainId, hosts }: Required<ProofOptions>,
): Promise<Transfer | undefined> {
  const signer = shown && (await signerOf(shown, chainId));
  if (signer) return { ...transfer, from: signer };
  const requests = hosts().map(({ request }): RpcRequest => request);
  const { signed } = await signedTransaction(requests, transfer.transactionHash, chainId);
  if (!signed) return transfer.from === null ? transfer : undefined;
  return signed.to === transfer.to ? { ...transfer, from: signed.from, amountWei: BigInt(signed.value) } : undefined;
}

/** The hosts' answers about a transaction. */
export interface ShownTransaction {
  /** The first answer that proves its hash, with the signer as its sender. */
  readonly signed: WireTransaction | undefined;
  /** Number of hosts that returned a transaction for the hash, up to that one. */
  readonly shownBy: number;
}

/** Asks one host after another for a transaction, until one returns it with its signature. */
export async function signedTransaction(
  hosts: readonly RpcRequest[],
  hash: Hash,
  chainId?: number,
): Promise<ShownTransaction> {
  let shownBy = 0;
  for (const request of hosts) {
    const transaction = await askByHash<WireTransaction>(request, 'eth_getTransactionByHash', hash);
    if (!transaction) continue;
    shownBy += 1;
    const signer = transaction.hash === hash ? await signerOf(transaction, chainId) : undefined;
    if (signer) return { signed: { ...transaction, from: signer }, shownBy };
  }
  return { signed: undefined, shownBy };
}

/** A host's object for a hash; null where it has none, undefined where it does not answer. */
export async function askByHash<Answer>(
  request: RpcRequest,
  method: RpcMethodName,
  hash: Hash,
): Promise<Answer | null | undefined> {
  try {
    return (await request({ method, params: [hash] })) as Answer | null;
  } catch {
    return undefined;
  }
}

/**
 * Recovers the signer of a transaction; undefined if its hash does not follow from its signed fields, such as recipient and value. A node
 * can falsify any field of a transaction, but not its signature.
 */
export async function signerOf(transaction: WireTransaction, chainId?: number): Promise<Address | undefined> {
  try {
    const serialized = serialize(transaction, chainId);
    if (keccak256(serialized) !== transaction.hash) return undefined;
    const signer = await recoverTransactionAddress({ serializedTransaction: serialized as never });
    return signer.toLowerCase() as Address;
  } catch {
    // The fields form no transaction.
    return undefined;
  }
}

/** @throws Error where the fields form no transaction of the chain */
function serialize(transaction: WireTransaction, expectedChainId: number | undefined): Hex {
  const { r, s } = transaction;
  if (!r || !s) throw new Error('not signed');
  const { v, yParity, input, chainId: stated, ...fields } = formatTransaction(transaction as never);
  const isLegacy = fields.type === 'legacy';
  const chainId = isLegacy ? chainIdIn(v ?? 0n) : stated;
  // A legacy transaction may be signed without a chain id.
  if (expectedChainId !== undefined && chainId !== expectedChainId && !(isLegacy && chainId === undefined)) {
    throw new Error('signed for another chain');
  }
  const unsigned = { ...fields, data: input, nonce: fields.nonce ?? 0, ...(chainId !== undefined && { chainId }) };
  const signature = isLegacy
    ? { r: padded(r), s: padded(s), v: v ?? 0n }
    : { r: padded(r), s: padded(s), yParity: yParity ?? 0 };
  return serializeTransaction(unsigned as TransactionSerializable, signature as never);
}

/** The chain id in `v` by EIP-155. */
function chainIdIn(v: bigint): number | undefined {
  return v >= 35n ? Number((v - 35n) / 2n) : undefined;
}

/** Restores the leading zeros that nodes leave out. */
function padded(scalar: Hex): Hex {
  return `0x${scalar.slice(2).padStart(64, '0')}`;
}
