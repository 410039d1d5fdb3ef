import { createHash } from 'node:crypto';
import type { ClaimedTransferMessage } from '@maker/contracts';
import { isDust } from '@maker/rules';
import { type Deposit, senderOf, transfersOf } from '../deposit/deposit.ts';
import { findPayment } from '../deposit/payment.ts';
import type { Job } from '../job/job.ts';

/** Money that came from nobody who could be named. */
export const UNKNOWN_SENDER =
  'it came from inside a contract or as a system credit, and no return address was given with the job';

/** Dust comes without a sender, since its parts are told together. Whoever sent it, its return would cost more than it is. */
export const TOO_SMALL = 'it is too small to pay the gas of its own return';

/** Money would go from one of our wallets to another, and perhaps back again for ever. Source: design § 2.1. */
export const OWN_WALLET = 'the address to which it would go is a wallet of this service';

/** Deposits of one refund at most: anyone may send any number of them, and its event names each. */
const MOST_DEPOSITS = 100;

/** Deposits that go back together, by one transfer. */
export interface RefundPlan {
  /** The same for the same deposits, however often it is decided. */
  readonly refundId: string;
  readonly depositIds: readonly string[];
  readonly amountWei: bigint;
  /** Null: held for an operator, because of `holdReason`. */
  readonly to: string | null;
  /** Where `to` is their sender, and not the visitor's own address: what proves that. */
  readonly sentBy?: readonly ClaimedTransferMessage[];
  readonly holdReason?: string;
  /** The newest block that holds one of them. */
  readonly blockNumber: number;
}

export interface DepositClaims {
  /** Ids of those that the job was activated with. */
  readonly paysForJob: readonly string[];
  readonly refunds: readonly RefundPlan[];
}

/**
 * Decides what each deposit is for, as soon as the job no longer waits for its payment: its payment pays for a job that
 * turned active, everything else goes back to the return address that the visitor gave or else to its own sender. Where
 * the payer is known, plain transfers of others go back to them in any case.
 * Source: design § 4 'Amounts' and 'Return address'.
 * @param deposits those of the job for which it is not decided yet
 * @param isPaid whether it was decided before which deposits pay for the job
 * @param wallets addresses of ours among the senders and the return address, in lower case
 */
export function planRefunds(
  job: Job,
  deposits: readonly Deposit[],
  isPaid: boolean,
  wallets: ReadonlySet<string>,
): DepositClaims {
  if (job.status === 'pending_payment') return { paysForJob: [], refunds: [] };
  // The transaction of the activation is the first to come here, with the very deposits that it was decided on.
  const isActivation = job.status === 'active' && !isPaid;
  const payment = isActivation ? findPayment(deposits, job.paymentAmountWei, job.paymentDeadlineMs) : undefined;
  const paysForJob = payment?.depositIds ?? [];
  const pays = new Set(paysForJob);
  const rest = deposits.filter(({ depositId }) => !pays.has(depositId));
  return { paysForJob, refunds: groupByRecipient(job, rest, wallets) };
}

/** Every address to which one of the deposits may go back. */
export function possibleRecipients(job: Job, deposits: readonly Deposit[]): string[] {
  const senders = deposits.map(senderOf);
  const named = [job.requestedReturnAddress, ...senders].filter((address) => typeof address === 'string');
  return [...new Set(named)];
}

function groupByRecipient(job: Job, deposits: readonly Deposit[], wallets: ReadonlySet<string>): RefundPlan[] {
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

function inParts(deposits: readonly Deposit[]): Deposit[][] {
  return Array.from({ length: Math.ceil(deposits.length / MOST_DEPOSITS) }, (_, part) =>
    deposits.slice(part * MOST_DEPOSITS, (part + 1) * MOST_DEPOSITS),
  );
}

/** A deposit that left the chain and came back has a higher occurrence, and so another refund. */
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
  // The visitor's own address is the job service's word; a sender is payment-watcher's, and has to be proven.
  const isSender = isStranger || !job.requestedReturnAddress;
  return { key: `${isSender ? 'sender ' : ''}${to.toLowerCase()}`, to, isSender };
}
