import { checksumAddress } from '@maker/rules';
import { Notice } from '@maker/ui';
import ChangeReturnAddress, { type ChangeReturnAddressProps } from './change-return-address.tsx';
import * as styles from './return-address.module.css';

interface UnknownPayerProps extends Omit<ChangeReturnAddressProps, 'stopSecret'> {
  /** The address that the payer has proposed, if any. */
  readonly proposed: string | undefined;
  /** The private code; without it no address can be proposed here. */
  readonly stopSecret: string | undefined;
}

/** Explains that money is held because its sender is unknown, and accepts an address to send it to. Source: design § 4 'Return address'. */
export default function UnknownPayer({ proposed, stopSecret, ...form }: UnknownPayerProps) {
  return (
    <div className={styles.receiver}>
      <Notice tone="yellow">
        {`The network does not show who paid: the HYPE came through a contract, or from several senders. Tokens and change are held for you. ${nextStep(proposed, stopSecret)}`}
      </Notice>
      {proposed !== undefined && (
        <p className={`${styles.address} code`} translate="no">
          {checksumAddress(proposed)}
        </p>
      )}
      {stopSecret !== undefined && <ChangeReturnAddress key={proposed} stopSecret={stopSecret} {...form} />}
    </div>
  );
}

function nextStep(proposed: string | undefined, stopSecret: string | undefined): string {
  if (proposed !== undefined) return 'An operator checks this address and sends them there after the job:';
  if (stopSecret !== undefined)
    return 'Enter your own address. An operator checks it and sends them there after the job.';
  return 'Enter your private code below to name your own address, or contact support.';
}
