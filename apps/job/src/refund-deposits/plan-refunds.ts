import { createHash } from 'node:crypto';
import type { ClaimedTransferMessage } from '@maker/contracts';
import { isDust } from '@maker/rules';
import { type Deposit, senderOf, transfersOf } from '../deposit/deposit.ts';
import type { Job } from '../job/job.ts';

/** Hold reason of money without a known sender. */
export const UNKNOWN_SENDER = 'it came from a contract or as a system credit, and the job has no return address';

/** Hold reason of dust. It has no sender, because its parts are reported together, and its refund would cost more than its amount. */
export const TOO_SMALL = 'it is too small to pay the network fee of its return';

/** Hold reason of a refund to a job wallet: money could move between wallets for ever. Source: design § 2.1. */
export const OWN_WALLET = 'its recipient is a wallet of this service';

/** Most deposits of one refund: anyone can send any number of them, and the event names each. */
const MOST_DEPOSITS = 100;

/** Deposits that one transfer refunds. */
export interface RefundPlan {
  /** Depends only on the deposits, so that a repeated decision gives the same id. */
  readonly refundId: string;
  readonly depositIds: readonly string[];
  readonly amountWei: bigint;
  /** Recipient; null: held for an operator with `holdReason`. */
  readonly to: string | null;
  /** Transfers that prove the sender. Present if `to` is the sender and not an address from the visitor. */
  readonly sentBy?: readonly ClaimedTransferMessage[];
  readonly holdReason?: string;
  /** The newest block that holds one of the deposits. */
  readonly blockNumber: number;
}

/**
 * Decides the recipients of money that pays for no order, after the job left `pending_payment`. It goes back to the return
 * address that the visitor gave, or else to its senders. If the payer is known, plain transfers of others always go back to
 * their senders. Source: design § 4 'Amounts' and 'Return address'.
 * @param deposits of the job without a purpose
 * @param wallets job wallets among the senders and the return address, in lower case
 */
export function planRefunds(job: Job, deposits: readonly Deposit[], wallets: ReadonlySet<string>): RefundPlan[] {
  if (job.status === 'pending_payment') return [];
  const groups = Map.groupBy(deposits, (deposit) => recipientOf(job, deposit, wallets).key);
  return [...groups.values()].flatMap(inParts).flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { key: _, isSender, ...recipient } = recipientOf(job, first, wallets);
    return {
      ...recipient,
      ...(isSender && { sentBy: transfersOf(group) }),
      refundId: refundIdOf(group),
      depositIds: group.map(({ depositId }) => depositId),
      amountWei: group.reduce((sum, { amountWei }) => sum + amountWei, 0n),
      blockNumber: Math.max(...group.map(({ blockNumber }) => blockNumber)),
    };
  });
}

/** Every address to which one of these deposits may be refunded. */
export function possibleRecipients(job: Job, deposits: readonly Deposit[]): string[] {
  const senders = deposits.map(senderOf);
  const named = [job.requestedReturnAddress, ...senders].filter((address) => typeof address === 'string');
  return [...new Set(named)];
}

function inParts(deposits: readonly Deposit[]): Deposit[][] {
  return Array.from({ length: Math.ceil(deposits.length / MOST_DEPOSITS) }, (_, part) =>
    deposits.slice(part * MOST_DEPOSITS, (part + 1) * MOST_DEPOSITS),
  );
}

/** A deposit that was mined again has a higher occurrence, and so another refund. */
function refundIdOf(deposits: readonly Deposit[]): string {
  const named = deposits.map(({ depositId, occurrence }) => [depositId, occurrence]);
  return `return_${createHash('sha256').update(JSON.stringify(named)).digest('hex').slice(0, 24)}`;
}

function recipientOf(job: Job, deposit: Deposit, wallets: ReadonlySet<string>) {
  const sender = senderOf(deposit);
  const payer = job.payment?.payer ?? undefined;
  const isStranger = payer !== undefined && sender !== undefined && sender !== payer;
  const to = isStranger ? sender : (job.requestedReturnAddress ?? sender);
  if (to === undefined) {
    const holdReason = isDust(deposit.amountWei) ? TOO_SMALL : UNKNOWN_SENDER;
    return { key: holdReason, to: null, holdReason };
  }
  if (wallets.has(to.toLowerCase())) return { key: OWN_WALLET, to: null, holdReason: OWN_WALLET };
  // The job service itself received the visitor's address. payment-watcher reported the sender, so it needs a proof.
  const isSender = isStranger || !job.requestedReturnAddress;
  return { key: `${isSender ? 'sender ' : ''}${to.toLowerCase()}`, to, isSender };
}
