import { ErrorBoundary, LiveRegion } from '@maker/ui';
import { logQuietly } from '@maker/web-kit';
import { lazy, Suspense, useState } from 'react';
import { Folded } from '../folded.tsx';
import type { ChangeReturnAddressProps } from './change-return-address.tsx';
import * as styles from './return-address.module.css';

// Few payers name an address, so the step loads the form and the checksum's hash function on demand.
const ChangeForm = lazy(() => import(/* webpackChunkName: "change-return-address" */ './change-return-address.tsx'));
const Checksummed = lazy(() => import(/* webpackChunkName: "change-return-address" */ './checksummed.tsx'));

interface ReturnAddressProps extends Omit<ChangeReturnAddressProps, 'stopSecret'> {
  /** The return address that the payer has named to the service, if any. */
  readonly named: string | undefined;
  /** A part of the payment has arrived: the payer may still name an address, and must know from where to send the rest. */
  readonly isPartial: boolean;
  /** The private code; without it the address cannot be changed here. */
  readonly stopSecret: string | undefined;
}

/** Advice to the payer, before and after a part has arrived, and to a visitor with the link alone, who cannot name an address. */
const PAYER = 'Paying from an exchange? Enter your own address first.';
const PARTIAL = 'Paid from an exchange? Enter your own address. Else send the rest from the same address.';
const READER = 'Do not pay from an exchange without the private code.';

/** The recipient of tokens and change and, until the job is active, the form to name another one. Source: design § 4 'Return address'. */
export function ReturnAddress({ named, isPartial, stopSecret, onChanged, ...form }: ReturnAddressProps) {
  const [isSaved, setSaved] = useState(false);
  const noteSaved: typeof onChanged = (answer) => {
    setSaved(true);
    onChanged(answer);
  };
  return (
    <div className={styles.receiver}>
      <LiveRegion>
        {named === undefined ? (
          <p>
            {`Tokens and change go to the address you pay from. ${stopSecret === undefined ? READER : isPartial ? PARTIAL : PAYER}`}
          </p>
        ) : (
          <p>
            <span>{isSaved ? 'Saved. Tokens and change go to ' : 'Tokens and change go to '}</span>
            <span className={`${styles.address} code`} translate="no">
              <ErrorBoundary onError={(error) => logQuietly('The checksum could not be shown', error)} fallback={named}>
                <Suspense fallback={named}>
                  <Checksummed address={named} />
                </Suspense>
              </ErrorBoundary>
            </span>
          </p>
        )}
      </LiveRegion>
      {stopSecret !== undefined && (
        <Folded summary={named === undefined ? 'Enter address' : 'Change this address'}>
          <ChangeForm key={named} stopSecret={stopSecret} onChanged={noteSaved} {...form} />
        </Folded>
      )}
    </div>
  );
}
