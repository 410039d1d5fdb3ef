import { Notice } from '@maker/ui';
import type { ApiClient, KnownDeadEnds } from '@maker/web-kit';
import { useState } from 'react';
import ChangeReturnAddress from './change-return-address.tsx';
import * as styles from './return-address.module.css';

interface UnknownPayerProps {
  readonly api: ApiClient;
  readonly jobId: string;
  readonly deadEnds: KnownDeadEnds;
  /** Already asked for; undefined where none is. */
  readonly proposed: string | undefined;
  /** Of the private link; without it nothing can be asked for here. */
  readonly stopSecret: string | undefined;
}

/** Says that money is held because its sender is unknown, and takes the address that it is asked to go to. Source: design § 4 'Return address'. */
export default function UnknownPayer({ api, jobId, deadEnds, proposed, stopSecret }: UnknownPayerProps) {
  const [saved, setSaved] = useState<string>();
  const asked = saved ?? proposed;
  return (
    <div className={styles.receiver}>
      <Notice tone="yellow">
        {`The network does not show who paid: the HYPE came through a contract, or from several senders. Tokens and change are held for you. ${nextStep(asked, stopSecret)}`}
      </Notice>
      {asked !== undefined && (
        <p className={`${styles.address} code`} translate="no">
          {asked}
        </p>
      )}
      {stopSecret !== undefined && (
        <ChangeReturnAddress
          key={asked}
          api={api}
          jobId={jobId}
          stopSecret={stopSecret}
          deadEnds={deadEnds}
          onChanged={setSaved}
        />
      )}
    </div>
  );
}

function nextStep(asked: string | undefined, stopSecret: string | undefined): string {
  if (asked !== undefined) return 'An operator checks this address, and sends them there after the job:';
  if (stopSecret !== undefined)
    return 'Enter your own address: an operator checks it, and sends them there after the job.';
  return 'Name your own address with your private link, or contact support.';
}
