import { estimatedMakers, formatHype } from '@maker/rules';
import { CopyButton, Surface } from '@maker/ui';
import type { OpenJob } from '@maker/web-kit';
import { WalletLink } from '../explorer-link.tsx';
import { TimeLeft } from './time-left.tsx';

/** Props of `PayPanel`. */
export interface PayPanelProps {
  readonly job: OpenJob;
  readonly explorerUrl: string;
  /** ms; undefined once there is nothing to hurry for. */
  readonly leftMs: number | undefined;
}

/** What to send where: exact amount and address, each with its copy button. Source: specification § 2 'Payment'. */
export function PayPanel({ job, explorerUrl, leftMs }: PayPanelProps) {
  const amountWei = BigInt(job.paymentAmountWei);
  const amount = formatHype(amountWei);
  return (
    <Surface title="Send from your wallet" aside={leftMs !== undefined && <TimeLeft leftMs={leftMs} />}>
      <dl className="pay">
        <div className="pay__item">
          <dt>Desired Budget</dt>
          <dd>
            {amount} HYPE <span className="pay__estimate">Estimated makers: {estimatedMakers(amountWei)}</span>
          </dd>
        </div>
        <div className="pay__item">
          <dt>Exact Amount</dt>
          <dd className="pay__amount">
            <span className="pay__figure">{amount}</span> HYPE
          </dd>
          <dd>
            <CopyButton text={amount} label="Copy Amount" confirmation="Amount copied to clipboard!" />
          </dd>
        </div>
        <div className="pay__item">
          <dt>Payment Wallet Address</dt>
          <dd className="pay__address code">{job.paymentAddress}</dd>
          <dd>
            <CopyButton text={job.paymentAddress} label="Copy Address" confirmation="Address copied to clipboard!" />
          </dd>
        </div>
      </dl>
      <p className="pay__wallet">
        This is the job's one public wallet: every order is placed from it.{' '}
        <WalletLink explorerUrl={explorerUrl} address={job.paymentAddress} />
      </p>
    </Surface>
  );
}
