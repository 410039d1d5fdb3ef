import type { JobStatusResponse, Receipt } from '@maker/contracts';
import { formatJobEstimate, isFinal } from '@maker/rules';
import { Alert, ExternalLink, LiveRegion, Notice, Surface, TickMeter } from '@maker/ui';
import type { ApiClient } from '@maker/web-kit';
import { lazy, type ReactNode } from 'react';
import { averagePrice, tokenAmount } from '../amounts.ts';
import { pollingErrorText } from '../follow/polling-error.ts';
import { useJobOrders } from '../follow/use-job.ts';
import { localTime } from '../local-time.ts';
import { Part } from '../part.tsx';
import { DownloadReceipt } from './download-receipt.tsx';
import { OrdersByMinute } from './orders-by-minute.tsx';
import { OrdersInPool } from './orders-in-pool.tsx';
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

const PauseSentence = lazy(() => import(/* webpackChunkName: "change-return-address" */ './pause-sentence.tsx'));

interface ReceiptPanelProps {
  readonly api: ApiClient;
  readonly job: JobStatusResponse;
  readonly explorerUrl: string;
  /** The page that checks receipts; empty if there is none. */
  readonly verifyUrl: string;
  /** The last poll of the receipt failed: the receipt shown is older than the payment's status. */
  readonly isStale: boolean;
  /** The visitor has the job's private code. */
  readonly isOwn: boolean;
  /** The payer's actions, shown at the head of the panel. */
  readonly children?: ReactNode;
}

/** The maker's use of the deposit, updated while it works. Source: design § 2.6. */
export function ReceiptPanel({ api, job, explorerUrl, verifyUrl, isStale, isOwn, children }: ReceiptPanelProps) {
  const { receipt, jobId } = job;
  const isEnded = isFinal(job.status);
  const orders = useJobOrders(api, jobId, {
    enabled: receipt !== undefined,
    ended: isEnded,
    placed: receipt?.ordersPlaced ?? 0,
  });
  const headline = receiptHeadline(job, localTime, isOwn);
  const error = pollingErrorText(orders.error);
  const known = orders.data ?? [];
  const fewerOrders =
    receipt && isEnded
      ? fewerOrdersText(receipt, job.status === 'completed' && job.stopRequestedAt === undefined)
      : undefined;

  return (
    <Surface title="Live receipt">
      <LiveRegion>
        <Notice tone={headline.tone} isLarge>
          {/* A translated page changes the text of an element only. */}
          <span>{headline.text}</span>
          <Part isOrnament>{headline.pauseReason && <PauseSentence reason={headline.pauseReason} />}</Part>
        </Notice>
        {isStale && (
          <Notice tone="yellow">The receipt could not be refreshed. The page tries again every 10 seconds.</Notice>
        )}
      </LiveRegion>
      {children}
      {receipt && (
        <>
          {isEnded ? (
            <Verdict receipt={receipt} verifyUrl={verifyUrl} />
          ) : (
            <>
              <TickMeter
                label="Orders placed"
                value={receipt.ordersPlaced}
                maximum={receipt.plannedOrders}
                text={`${receipt.ordersPlaced} of ${receipt.plannedOrders} planned orders`}
              />
              <ReceiptStats receipt={receipt} />
            </>
          )}
          {fewerOrders !== undefined && <Notice tone="plain">{fewerOrders}</Notice>}
          <div className={columns}>
            <ReceiptLedger
              receipt={receipt}
              deposits={job.depositTransactions}
              refunds={job.returns}
              isEnded={isEnded}
              explorerUrl={explorerUrl}
            />
            <Part>
              <OrdersInPool receipt={receipt} orders={known} />
            </Part>
          </div>
          <Part>
            <DownloadReceipt api={api} jobId={jobId} verifyUrl={isEnded ? '' : verifyUrl} />
          </Part>
          <Part>
            {receipt.quality && <QualityFigures receipt={receipt} quality={receipt.quality} />}
            {receipt.pauses && receipt.pauses.length > 0 && <Pauses receipt={receipt} />}
          </Part>
          {error !== undefined && <Alert>{error}</Alert>}
          <Part>
            {known.length > 0 && <OrdersByMinute orders={known} token={receipt.token} explorerUrl={explorerUrl} />}
          </Part>
        </>
      )}
    </Surface>
  );
}

/** What an ended job bought, at which price, and where anyone can check it. */
function Verdict({ receipt, verifyUrl }: { readonly receipt: Receipt; readonly verifyUrl: string }) {
  const { token, tokensBought, tradedWei, ordersPlaced, estimate } = receipt;
  const price = averagePrice(BigInt(tradedWei), BigInt(tokensBought), token.decimals);
  const amount = `${tokenAmount(tokensBought, token.decimals)} ${token.symbol}`;
  const bought = price === undefined ? '' : `${amount} bought at ${price} HYPE each. `;
  return (
    <p>
      <span>{`${bought}${ordersPlaced.toLocaleString('en-US')} orders of ${formatJobEstimate(estimate)} estimated. `}</span>
      {verifyUrl !== '' && <ExternalLink href={verifyUrl}>Verify it</ExternalLink>}
    </p>
  );
}
