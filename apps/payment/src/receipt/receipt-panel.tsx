import type { JobStatusResponse } from '@maker/contracts';
import { isFinal } from '@maker/rules';
import { Alert, LiveRegion, Notice, Surface, TickMeter } from '@maker/ui';
import type { ApiClient } from '@maker/web-kit';
import { lazy, type ReactNode } from 'react';
import { pollingErrorText } from '../follow/polling-error.ts';
import { useJobOrders } from '../follow/use-job.ts';
import { localTime } from '../local-time.ts';
import { Part } from '../part.tsx';
import { DownloadReceipt } from './download-receipt.tsx';
import { OrdersInPool } from './orders-in-pool.tsx';
import { OrdersTable } from './orders-table.tsx';
// In the step's style sheet: a separate one for the lazy part would need code that loads it.
import './pauses.module.css';
import { QualityFigures } from './quality-figures.tsx';
import { fewerOrdersText, receiptHeadline } from './receipt-headline.ts';
import { ReceiptLedger } from './receipt-ledger.tsx';
import { ReceiptStats } from './receipt-stats.tsx';
import { columns } from './two-columns.module.css';

// Loaded on demand: few jobs pause.
const Pauses = lazy(async () => {
  const { Pauses } = await import(/* webpackChunkName: "change-return-address" */ './pauses.tsx');
  return { default: Pauses };
});

interface ReceiptPanelProps {
  readonly api: ApiClient;
  readonly job: JobStatusResponse;
  readonly explorerUrl: string;
  /** The page that checks receipts; empty if there is none. */
  readonly verifyUrl: string;
  /** The last poll of the receipt failed: the receipt shown is older than the payment's status. */
  readonly isStale: boolean;
  /** The payer's actions, shown at the head of the panel. */
  readonly children?: ReactNode;
}

/** The maker's use of the deposit, updated while it works. Source: design § 2.6. */
export function ReceiptPanel({ api, job, explorerUrl, verifyUrl, isStale, children }: ReceiptPanelProps) {
  const { receipt, jobId } = job;
  const isEnded = isFinal(job.status);
  const orders = useJobOrders(api, jobId, {
    enabled: receipt !== undefined,
    ended: isEnded,
    placed: receipt?.ordersPlaced ?? 0,
  });
  const headline = receiptHeadline(job, localTime);
  const error = pollingErrorText(orders.error);
  const known = orders.data ?? [];
  const fewerOrders =
    receipt && isEnded
      ? fewerOrdersText(receipt, job.status === 'completed' && job.stopRequestedAt === undefined)
      : undefined;

  return (
    <Surface title="Live receipt">
      <LiveRegion>
        <Notice tone={headline.tone}>{headline.text}</Notice>
        {isStale && (
          <Notice tone="yellow">The receipt could not be refreshed. The page tries again every 10 seconds.</Notice>
        )}
      </LiveRegion>
      {children}
      {receipt && (
        <>
          <TickMeter
            label="Orders placed"
            value={receipt.ordersPlaced}
            maximum={receipt.plannedOrders}
            text={`${receipt.ordersPlaced} of ${receipt.plannedOrders} planned orders`}
          />
          {fewerOrders !== undefined && <Notice tone="plain">{fewerOrders}</Notice>}
          <ReceiptStats receipt={receipt} isEnded={isEnded} />
          <div className={columns}>
            <ReceiptLedger receipt={receipt} deposits={job.depositTransactions} explorerUrl={explorerUrl} />
            <Part>
              <OrdersInPool receipt={receipt} orders={known} />
            </Part>
          </div>
          <Part>
            <DownloadReceipt api={api} jobId={jobId} verifyUrl={verifyUrl} />
          </Part>
          <Part>
            {receipt.quality && <QualityFigures receipt={receipt} quality={receipt.quality} />}
            {receipt.pauses && receipt.pauses.length > 0 && <Pauses receipt={receipt} />}
          </Part>
          {error !== undefined && <Alert>{error}</Alert>}
          <Part>
            {known.length > 0 && <OrdersTable orders={known} token={receipt.token} explorerUrl={explorerUrl} />}
          </Part>
        </>
      )}
    </Surface>
  );
}
