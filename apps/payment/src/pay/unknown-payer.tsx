import { Notice } from '@maker/ui';
import ChangeReturnAddress, { type ChangeReturnAddressProps } from './change-return-address.tsx';
import * as styles from './return-address.module.css';

interface UnknownPayerProps extends Omit<ChangeReturnAddressProps, 'stopSecret'> {
  /** Already asked for; undefined where none is. */
  readonly proposed: string | undefined;
  /** Of the private link; without it nothing can be asked for here. */
  readonly stopSecret: string | undefined;
}

/** Says that money is held because its sender is unknown, and takes the address that it is asked to go to. Source: design § 4 'Return address'. */
export default function UnknownPayer({ proposed, stopSecret, ...form }: UnknownPayerProps) {
  return (
    <div className={styles.receiver}>
      <Notice tone="yellow">
        {`The network does not show who paid: the HYPE came through a contract, or from several senders. Tokens and change are held for you. ${nextStep(proposed, stopSecret)}`}
      </Notice>
      {proposed !== undefined && (
        <p className={`${styles.address} code`} translate="no">
          {proposed}
        </p>
      )}
      {stopSecret !== undefined && <ChangeReturnAddress key={proposed} stopSecret={stopSecret} {...form} />}
    </div>
  );
}

function nextStep(proposed: string | undefined, stopSecret: string | undefined): string {
  if (proposed !== undefined) return 'An operator checks this address, and sends them there after the job:';
  if (stopSecret !== undefined)
    return 'Enter your own address: an operator checks it, and sends them there after the job.';
  return 'Name your own address with your private link, or contact support.';
}
