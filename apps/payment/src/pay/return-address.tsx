import { LiveRegion } from '@maker/ui';
import { lazy } from 'react';
import { Folded } from '../folded.tsx';
import type { ChangeReturnAddressProps } from './change-return-address.tsx';
import * as styles from './return-address.module.css';

// Few payers open it, so the step does not wait for it.
const ChangeForm = lazy(() => import(/* webpackChunkName: "change-return-address" */ './change-return-address.tsx'));

interface ReturnAddressProps extends Omit<ChangeReturnAddressProps, 'stopSecret'> {
  /** As the service knows it; undefined where none is named. */
  readonly named: string | undefined;
  /** A part of the payment has come: the service takes no other address. */
  readonly isFixed: boolean;
  /** Of the private link; without it nothing can be changed here. */
  readonly stopSecret: string | undefined;
}

/** What the payer can do about it, before and after a part has come, and the reader of a shared link, who can name no address. */
const PAYER = 'Paying from an exchange? Enter your own address first.';
const REST = 'Send the rest from the same one.';
const READER = 'Do not pay from an exchange: only the private link names another address.';

/** Who receives tokens and change, and until the payment arrives the way to name somebody else. Source: design § 4 'Return address'. */
export function ReturnAddress({ named, isFixed, stopSecret, ...form }: ReturnAddressProps) {
  return (
    <div className={styles.receiver}>
      <LiveRegion>
        {named === undefined ? (
          <p>
            {`Tokens and change go to the address you pay from. ${isFixed ? REST : stopSecret === undefined ? READER : PAYER}`}
          </p>
        ) : (
          <p>
            <span>Tokens and change go to </span>
            <span className={`${styles.address} code`} translate="no">
              {named}
            </span>
          </p>
        )}
      </LiveRegion>
      {stopSecret !== undefined && !isFixed && (
        <Folded summary={named === undefined ? 'Enter address' : 'Change this address'}>
          <ChangeForm key={named} stopSecret={stopSecret} {...form} />
        </Folded>
      )}
    </div>
  );
}
