import {
  addEntries,
  type Execution,
  type ExecutionChange,
  type FinalTransaction,
  isShort,
  type LedgerEntry,
  type LedgerKind,
  ledgerEntry,
  orderNumber,
  reversed,
  type TransactionPurpose,
  type TransactionRecord,
} from '@maker/execution-records';
import { withOrders, withoutOrders } from './purchases.ts';

/** Number of successful orders in a block, for the job's timeline. */
export interface OrdersOfBlock {
  readonly blockNumber: number;
  readonly succeeded: number;
}

/** Final transactions whose blocks have left the chain. */
export interface LostOrders {
  /** By nonce. */
  readonly lost: readonly FinalTransaction[];
  /** The newest filled order that still stands; undefined without one. */
  readonly standing: FinalTransaction | undefined;
}

/** Ledger entries and changes of the execution for some final transactions. */
export interface Booking {
  readonly entries: readonly LedgerEntry[];
  readonly change: Required<
    Pick<
      ExecutionChange,
      | 'totals'
      | 'ordersPlaced'
      | 'ordersFailed'
      | 'consecutiveFailures'
      | 'retries'
      | 'shortDeliveries'
      | 'purchases'
      | 'arrivalPriceX96'
    >
  >;
  /** One for each block with some of the orders. */
  readonly orderBlocks: readonly OrdersOfBlock[];
}

/** Kinds of ledger entries for the amounts that a transaction moved and for its gas, by purpose. */
const KINDS: Readonly<
  Record<TransactionPurpose, { hype?: LedgerKind; received?: LedgerKind; sent?: LedgerKind; gas: LedgerKind }>
> = {
  fee: { hype: 'fee', gas: 'gas' },
  order: { hype: 'order', received: 'bought', gas: 'order_gas' },
  delivery: { sent: 'delivered', gas: 'gas' },
  refund: { hype: 'returned', gas: 'gas' },
  return: { hype: 'returned', gas: 'gas' },
};

/**
 * Books final transactions: the amounts that they moved and bought, and their gas. A reverted one costs gas too.
 * @param finals in the order of their nonces
 */
export function bookTransactions(execution: Execution, finals: readonly FinalTransaction[], now: Date): Booking {
  const entries = finals.flatMap((final) => entriesOf(final, now));
  const { orders, failures } = ordersAmong(finals);
  return {
    entries,
    change: {
      totals: addEntries(execution.totals, entries),
      ordersPlaced: execution.ordersPlaced + orders.length - failures,
      ordersFailed: execution.ordersFailed + failures,
      consecutiveFailures: failuresInARow(execution.consecutiveFailures, orders),
      retries: [...execution.retries, ...unfilled(orders)],
      shortDeliveries: execution.shortDeliveries + orders.filter(isShortDelivery).length,
      ...withOrders(execution, orders),
    },
    orderBlocks: groupByBlock(orders),
  };
}

/**
 * Reverses the bookings of final transactions whose blocks have left the chain, as if they had never been mined. They are
 * open again and will be booked again when they are final.
 */
export function reverseBooking(
  execution: Execution,
  { lost, standing }: LostOrders,
  now: Date,
): Pick<Booking, 'entries'> & {
  readonly change: Pick<Booking['change'], 'totals' | 'ordersPlaced' | 'ordersFailed' | 'purchases'>;
} {
  const entries = lost.flatMap((final) => entriesOf(final, now)).map((entry) => reversed(entry, now));
  const { orders, failures } = ordersAmong(lost);
  return {
    entries,
    change: {
      totals: addEntries(execution.totals, entries),
      ordersPlaced: execution.ordersPlaced - orders.length + failures,
      ordersFailed: execution.ordersFailed - failures,
      purchases: withoutOrders(execution.purchases, orders, standing),
    },
  };
}

/** Returns the orders among some transactions, and how many of them were reverted. */
function ordersAmong(finals: readonly FinalTransaction[]) {
  const orders = finals.filter(({ transaction }) => transaction.purpose === 'order');
  return { orders, failures: orders.filter(({ inclusion }) => !inclusion.succeeded).length };
}

/** Returns the id of a booking in the ledger: a reversed booking may be made again. */
function bookingId({ id, reversals }: TransactionRecord): string {
  return reversals > 0 ? `${id}/again-${reversals}` : id;
}

function entriesOf({ transaction, inclusion }: FinalTransaction, now: Date): readonly LedgerEntry[] {
  const kinds = KINDS[transaction.purpose];
  const entry = (kind: LedgerKind | undefined, amountWei: bigint) =>
    kind === undefined || amountWei === 0n
      ? []
      : ledgerEntry(bookingId(transaction), kind, {
          jobId: transaction.jobId,
          amountWei,
          transactionHash: inclusion.hash,
          blockNumber: inclusion.blockNumber,
          recordedAt: now,
        });
  return [
    entry(kinds.hype, inclusion.movedWei),
    entry(kinds.received, inclusion.receivedTokens),
    entry(kinds.sent, inclusion.sentTokens),
    entry(kinds.gas, inclusion.gasWei),
  ].flat();
}

function failuresInARow(before: number, orders: readonly FinalTransaction[]): number {
  return orders.reduce((count, { inclusion }) => (inclusion.succeeded ? 0 : count + 1), before);
}

/** Returns the numbers of orders to retry. */
function unfilled(orders: readonly FinalTransaction[]): readonly number[] {
  return orders
    .filter(({ transaction, inclusion }) => !inclusion.succeeded && transaction.terms && !transaction.terms.isRetry)
    .map(({ transaction }) => orderNumber(transaction.id));
}

function isShortDelivery({ transaction, inclusion }: FinalTransaction): boolean {
  return isShort({ ...transaction, inclusion });
}

function groupByBlock(orders: readonly FinalTransaction[]): readonly OrdersOfBlock[] {
  const succeeded = new Map<number, number>();
  for (const { inclusion } of orders) {
    const before = succeeded.get(inclusion.blockNumber) ?? 0;
    succeeded.set(inclusion.blockNumber, before + (inclusion.succeeded ? 1 : 0));
  }
  return [...succeeded].map(([blockNumber, count]) => ({ blockNumber, succeeded: count }));
}
