import { estimateOrders, formatHype, formatJobEstimate } from '@maker/rules';
import { CopyButton, Notice, SubjectLine, Surface } from '@maker/ui';
import { chainLabel, type OpenJob, subjectOf } from '@maker/web-kit';
import type { ReactNode } from 'react';
import * as copied from '../copied-text.module.css';
import { WalletLink } from '../explorer-link.tsx';
import { Part } from '../part.tsx';
import * as styles from './pay-panel.module.css';
import { TimeLeft } from './time-left.tsx';
import type { Transfer } from './transfer.ts';

interface PayPanelProps {
  readonly job: OpenJob;
  readonly transfer: Transfer;
  readonly chainId: number;
  readonly explorerUrl: string;
  /** Least sum that starts the job by itself, wei; undefined if the service names none. */
  readonly leastWei: string | undefined;
  /** True while nothing has arrived that the page would report. */
  readonly isFirst: boolean;
  /** The recipient of the bought tokens. */
  readonly children?: ReactNode;
}

/** The exact amount and the address to pay to, each with its copy button. Source: specification § 2 'Payment'. */
export function PayPanel({ job, transfer, chainId, explorerUrl, leastWei, isFirst, children }: PayPanelProps) {
  const { paymentAddress } = job;
  const budget = formatHype(transfer.budgetWei);
  const due = transfer.state === 'due' ? formatHype(transfer.dueWei) : undefined;
  return (
    <Surface
      title={transfer.state === 'due' ? 'Send from your wallet' : 'Your transfer'}
      aside={
        transfer.state === 'due' && (
          <Part isOrnament>
            <TimeLeft leftMs={transfer.leftMs} />
          </Part>
        )
      }
    >
      {transfer.state === 'over' && (
        <Notice tone="yellow">Send nothing to this address any more. Later payments are not used for this job.</Notice>
      )}
      <dl className={styles.list}>
        {due !== undefined && (
          <div className={styles.item}>
            <dt>{due === budget ? 'Exact Amount' : 'Exact Amount still missing'}</dt>
            <dd className={styles.row}>
              <span translate="no">
                <span className={styles.figure}>{due}</span> HYPE
              </span>
              <CopyButton text={due} label="Copy Amount" confirmation="Amount copied to clipboard!" />
            </dd>
            {leastWei !== undefined && due === budget && (
              <dd className={styles.least}>{`${formatHype(BigInt(leastWei))} HYPE is enough.`}</dd>
            )}
          </div>
        )}
        <div className={`${styles.item} ${styles.address}`}>
          <dt>Payment Wallet Address</dt>
          <dd className={`${copied.text} code`} translate="no">
            {paymentAddress}
          </dd>
          {transfer.state !== 'over' && (
            <dd className={styles.copy}>
              <CopyButton text={paymentAddress} label="Copy Address" confirmation="Address copied to clipboard!" />
            </dd>
          )}
        </div>
        <div className={styles.line}>
          <dt>Desired Budget</dt>
          <dd className={styles.budget}>
            <span translate="no">{`${budget} HYPE`}</span>{' '}
            <span className={styles.estimate}>
              {`Estimated makers: ${formatJobEstimate(estimateOrders(transfer.budgetWei))}`}
            </span>
          </dd>
        </div>
        <div className={styles.chain}>
          <dt>Network</dt>
          <dd>
            <strong>{chainLabel(chainId)}</strong>
            {isFirst && due !== undefined && (
              <p className={styles.network}>HYPE on HyperCore or on an exchange? Move it first.</p>
            )}
          </dd>
        </div>
      </dl>
      <Part isOrnament>
        <div className={styles.subject}>
          <JobSubject job={job} transfer={transfer} />
        </div>
      </Part>
      <Part>{children}</Part>
      <p className={styles.wallet}>
        <span>This is the job's one public wallet. </span>
        {due === undefined && <WalletLink explorerUrl={explorerUrl} address={paymentAddress} />}
      </p>
    </Surface>
  );
}

/** What the payment buys: until it is received by the plan, which the receipt then replaces. */
function JobSubject({ job: { token, plan }, transfer }: Pick<PayPanelProps, 'job' | 'transfer'>) {
  const isPlanned = transfer.state === 'due' || transfer.state === 'waiting';
  return <SubjectLine {...(isPlanned ? subjectOf(token, plan, transfer.budgetWei) : subjectOf(token))} />;
}
