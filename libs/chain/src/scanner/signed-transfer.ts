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
import type { Transfer } from './scan-events.ts';
import type { WireBlock, WireTransaction } from './wire-block.ts';

/** Transfers of a block, and those whose transaction does not prove who sent them. */
export interface ProvenTransfers {
  readonly proven: readonly Transfer[];
  readonly unproven: readonly Transfer[];
}

/** By what transfers are proven. */
export interface ProofOptions {
  /** The chain for which transactions must be signed. */
  readonly chainId?: number | undefined;
  /** Hosts that are asked for a transaction whose signature does not prove its sender. */
  readonly hosts?: () => readonly EndpointHost[];
}

/** Transactions of a block that hosts are asked for: a node that says false things of more delays nobody further. */
const MOST_ASKED_FOR = 16;

/**
 * Names as the sender of each transfer who signed its transaction, whatever a node says, and separates those whose transaction proves no
 * sender. Dust is left as it is, and so is a credit from HyperCore, which has none.
 */
export async function proveTransfers(
  transfers: readonly Transfer[],
  block: WireBlock,
  { chainId, hosts = () => [] }: ProofOptions,
): Promise<ProvenTransfers> {
  // Most blocks hold none, and their lists are long.
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

/** A transfer as its signature tells it; one from HyperCore, which no host shows signed, as it is. @returns undefined where nothing proves it */
async function asSigned(
  transfer: Transfer,
  shown: WireTransaction | undefined,
  { chainId, hosts }: Required<ProofOptions>,
): Promise<Transfer | undefined> {
  const signer = shown && (await signerOf(shown, chainId));
  if (signer) return { ...transfer, from: signer };
  const { signed } = await signedTransaction(hosts(), transfer.transactionHash, chainId);
  if (!signed) return transfer.from === null ? transfer : undefined;
  return signed.to === transfer.to ? { ...transfer, from: signed.from, amountWei: BigInt(signed.value) } : undefined;
}

/** A transaction as hosts show it. */
export interface ShownTransaction {
  /** The first that proves its hash, with who signed it as its sender. */
  readonly signed: WireTransaction | undefined;
  /** Hosts that showed any transaction of the hash, up to that one. */
  readonly shownBy: number;
}

/** Asks one host after the other for a transaction, until one shows it with its signature. */
export async function signedTransaction(
  hosts: readonly EndpointHost[],
  hash: Hash,
  chainId?: number,
): Promise<ShownTransaction> {
  let shownBy = 0;
  for (const host of hosts) {
    const transaction = await askByHash<WireTransaction>(host, 'eth_getTransactionByHash', hash);
    if (!transaction) continue;
    shownBy += 1;
    const signer = transaction.hash === hash ? await signerOf(transaction, chainId) : undefined;
    if (signer) return { signed: { ...transaction, from: signer }, shownBy };
  }
  return { signed: undefined, shownBy };
}

/** What a host shows under a hash; null where it has none, undefined where it does not answer. */
export async function askByHash<Answer>(
  { request }: EndpointHost,
  method: string,
  hash: Hash,
): Promise<Answer | null | undefined> {
  try {
    return (await request({ method, params: [hash] })) as Answer | null;
  } catch {
    return undefined;
  }
}

/**
 * Who signed a transaction whose hash follows from its signed fields, recipient and value among them; undefined where it does not. A node
 * may say anything of a transaction, but cannot sign it.
 */
export async function signerOf(transaction: WireTransaction, chainId?: number): Promise<Address | undefined> {
  try {
    const serialized = serialize(transaction, chainId);
    if (keccak256(serialized) !== transaction.hash) return undefined;
    const signer = await recoverTransactionAddress({ serializedTransaction: serialized as never });
    return signer.toLowerCase() as Address;
  } catch {
    // Fields that make no transaction.
    return undefined;
  }
}

/** @throws Error where the fields make no transaction of the chain */
function serialize(transaction: WireTransaction, expectedChainId: number | undefined): Hex {
  const { r, s } = transaction;
  if (!r || !s) throw new Error('not signed');
  const { v, yParity, input, chainId: stated, ...fields } = formatTransaction(transaction as never);
  const isLegacy = fields.type === 'legacy';
  const chainId = isLegacy ? chainIdIn(v ?? 0n) : stated;
  // A legacy transaction may be signed for no chain in particular.
  if (expectedChainId !== undefined && chainId !== expectedChainId && !(isLegacy && chainId === undefined)) {
    throw new Error('signed for another chain');
  }
  const unsigned = { ...fields, data: input, nonce: fields.nonce ?? 0, ...(chainId !== undefined && { chainId }) };
  const signature = isLegacy
    ? { r: padded(r), s: padded(s), v: v ?? 0n }
    : { r: padded(r), s: padded(s), yParity: yParity ?? 0 };
  return serializeTransaction(unsigned as TransactionSerializable, signature as never);
}

/** EIP-155. */
function chainIdIn(v: bigint): number | undefined {
  return v >= 35n ? Number((v - 35n) / 2n) : undefined;
}

/** Nodes leave leading zeros out. */
function padded(scalar: Hex): Hex {
  return `0x${scalar.slice(2).padStart(64, '0')}`;
}
