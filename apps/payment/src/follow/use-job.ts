import type { ReceiptOrder } from '@maker/contracts';
import { type ApiClient, getJobOrders, getJobPayment, getJobStatus, type PaymentAnswer, unwrap } from '@maker/web-kit';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

/** Time between two polls, ms. Source: specification § 9. */
const PAYMENT_POLL_MS = 10_000;

/** Time between two polls while the live channel counts more orders than are known, ms. */
const CATCH_UP_MS = 2_000;

const ORDERS_PER_PAGE = 500;

/** Polls also in the background: a visitor who returns from the wallet must see the current state. */
const POLLING = { refetchIntervalInBackground: true, refetchOnWindowFocus: true, staleTime: 0 } as const;

/**
 * Polls the payment immediately and every 10 s until the visitor leaves the page: also after the end, because a second
 * payment may still arrive. Source: specification § 4.
 */
export function useJobPayment(api: ApiClient, jobId: string) {
  return useQuery({
    ...POLLING,
    queryKey: paymentKey(jobId),
    queryFn: async ({ signal }) => unwrap(await getJobPayment(api, jobId, { signal })),
    refetchInterval: PAYMENT_POLL_MS,
  });
}

const paymentKey = (jobId: string) => ['job', jobId, 'payment'];

/**
 * Shows a change that the service has just confirmed to this page, until the next answer.
 * @param shown the payment as the page shows it
 */
export function useConfirmedPayment(jobId: string, shown: PaymentAnswer | undefined) {
  const queries = useQueryClient();
  return (confirmed: Partial<PaymentAnswer>): void => {
    if (!shown) return;
    // A poll in progress may have an older answer.
    void queries.cancelQueries({ queryKey: paymentKey(jobId) });
    queries.setQueryData(paymentKey(jobId), { ...shown, ...confirmed });
  };
}

/** Polls job and receipt at the same interval, once money arrived or the job has ended. */
export function useJobStatus(api: ApiClient, jobId: string, enabled: boolean) {
  return useQuery({
    ...POLLING,
    queryKey: ['job', jobId, 'status'],
    queryFn: async ({ signal }) => unwrap(await getJobStatus(api, jobId, { signal })),
    refetchInterval: PAYMENT_POLL_MS,
    enabled,
  });
}

/** The job's state that decides which orders to read. */
interface FollowedOrders {
  readonly enabled: boolean;
  /** The job can place no further order. */
  readonly ended: boolean;
  /** Number of mined orders, by the newest receipt. */
  readonly placed: number;
}

/**
 * Every order of the job, by number. Each poll requests only orders that may have changed. If the live channel counts more
 * orders than are known, it requests them immediately.
 */
export function useJobOrders(api: ApiClient, jobId: string, { enabled, ended, placed }: FollowedOrders) {
  const queries = useQueryClient();
  const queryKey = ['job', jobId, 'orders'];
  const isBehind = (known: readonly ReceiptOrder[] | undefined) =>
    known !== undefined && known.filter(isMined).length < placed;
  const orders = useQuery({
    ...POLLING,
    queryKey,
    queryFn: ({ signal }) =>
      readOrders(api, jobId, queries.getQueryData<readonly ReceiptOrder[]>(queryKey) ?? [], signal),
    refetchInterval: ({ state: { data } }) => {
      if (isBehind(data)) return CATCH_UP_MS;
      return ended && data?.every(isSettled) ? false : PAYMENT_POLL_MS;
    },
    enabled,
  });
  const { data, refetch } = orders;
  const wantsMore = enabled && isBehind(data);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each count of the live channel triggers one request
  useEffect(() => {
    if (wantsMore) void refetch({ cancelRefetch: false });
  }, [wantsMore, placed, refetch]);
  return orders;
}

/** Whether the receipt counts the order as placed. */
const isMined = ({ status }: ReceiptOrder) => status === 'mined' || status === 'final';

/** Reads the orders that are missing or not final in `known`, page by page. @throws ApiCallError */
export async function readOrders(
  api: Pick<ApiClient, 'call'>,
  jobId: string,
  known: readonly ReceiptOrder[],
  signal: AbortSignal,
): Promise<readonly ReceiptOrder[]> {
  let orders = known;
  let after = resumeAfter(known);
  for (;;) {
    const page = unwrap(await getJobOrders(api, jobId, { after, limit: ORDERS_PER_PAGE }, { signal })).orders;
    orders = mergeOrders(orders, page);
    const last = page.at(-1);
    if (!last || page.length < ORDERS_PER_PAGE) return orders;
    after = last.number;
  }
}

/** Whether an order can no longer change. */
function isSettled(order: ReceiptOrder): boolean {
  return order.status === 'final' || order.status === 'failed';
}

/** Number after which orders must be read again: all orders up to it are known and settled. @param known by ascending number */
export function resumeAfter(known: readonly ReceiptOrder[]): number {
  let settled = 0;
  for (const order of known) {
    if (order.number !== settled + 1 || !isSettled(order)) break;
    settled = order.number;
  }
  return settled;
}

/** Known orders, replaced or extended by a page, by ascending number. */
export function mergeOrders(known: readonly ReceiptOrder[], page: readonly ReceiptOrder[]): readonly ReceiptOrder[] {
  const byNumber = new Map([...known, ...page].map((order) => [order.number, order]));
  return [...byNumber.values()].sort((one, other) => one.number - other.number);
}
