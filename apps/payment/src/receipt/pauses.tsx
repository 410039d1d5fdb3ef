import type { Receipt } from '@maker/contracts';
import { Button, KeyValue, KeyValueList } from '@maker/ui';
import { useId, useState } from 'react';
import { PAUSE_NAMES } from './pause-names.ts';
import { localTimes } from './pause-times.ts';
import * as styles from './pauses.module.css';

const SHOWN_AT_FIRST = 5;

/** Times and reasons of the job's pauses, the newest first; nothing for a job without pauses. Source: specification § 9. */
export function Pauses({ receipt }: { readonly receipt: Receipt }) {
  const titleId = useId();
  const [isLong, setLong] = useState(false);
  const newest = (receipt.pauses ?? []).toReversed();
  if (newest.length === 0) return null;
  const inAll = receipt.pausesInAll ?? newest.length;
  const shown = isLong ? newest : newest.slice(0, SHOWN_AT_FIRST);
  return (
    <section className={styles.pauses} aria-labelledby={titleId}>
      <h3 className={styles.title} id={titleId}>
        Pauses
      </h3>
      <KeyValueList>
        {shown.map(({ reason, since, until }) => (
          <KeyValue key={since} name={PAUSE_NAMES[reason]}>
            {localTimes(since, until)}
          </KeyValue>
        ))}
      </KeyValueList>
      {shown.length < newest.length && (
        <Button variant="quiet" onClick={() => setLong(true)}>
          {`Show ${newest.length - shown.length} more of ${inAll} pauses`}
        </Button>
      )}
      {isLong && newest.length < inAll && (
        <p className={styles.older}>{`There were ${inAll - newest.length} earlier pauses.`}</p>
      )}
    </section>
  );
}
