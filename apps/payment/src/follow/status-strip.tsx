import type { StatusDisplay } from '@maker/rules';
import { Alert, LiveRegion, Notice, StatusPill } from '@maker/ui';
import { localTime, localTimeToTheSecond } from '../local-time.ts';
import type { PaymentAdvice } from '../pay/payment-advice.ts';
import type { RefundAdvice } from '../pay/refund-advice.ts';
import * as styles from './status-strip.module.css';

interface StatusStripProps {
  readonly display: StatusDisplay;
  readonly advice: readonly (PaymentAdvice | RefundAdvice)[];
  readonly error: string | undefined;
  /** ISO 8601; the service has not read the chain since then. */
  readonly unreachableSince: string | undefined;
  /** The deadline has passed, and the service still decides whether a payment came in time. */
  readonly isDeciding: boolean;
  /** A receipt below has a headline of its own. */
  readonly isSmall: boolean;
  /** Time of the last answer, ms; 0 before the first one. */
  readonly checkedAtMs: number;
}

const TONES = {
  seen: 'plain',
  underpaid: 'yellow',
  overpaid: 'plain',
  late: 'red',
  dropped: 'red',
  hypercore: 'red',
  tokens: 'red',
  due: 'plain',
  returned: 'plain',
  held: 'yellow',
} as const;

/** State of the payment: pill, received amounts in plain words, and the red box of a failed poll. */
export function StatusStrip({
  display,
  advice,
  error,
  unreachableSince,
  isDeciding,
  isSmall,
  checkedAtMs,
}: StatusStripProps) {
  return (
    <div className={styles.strip}>
      <div className={`${styles.row} ${isSmall ? styles.small : ''}`}>
        <LiveRegion>
          <StatusPill colour={display.colour}>{display.pill}</StatusPill>
        </LiveRegion>
        {checkedAtMs > 0 && (
          <span className={styles.checked}>
            {`Checked at ${localTimeToTheSecond(new Date(checkedAtMs).toISOString())}`}
          </span>
        )}
      </div>
      <LiveRegion>
        {isDeciding && (
          <Notice tone="plain" isLarge>
            The time to pay is over. The service still looks for a payment that came in time.
          </Notice>
        )}
        {display.advice && display.advice !== display.pill && <Notice tone="red">{display.advice}</Notice>}
        {unreachableSince !== undefined && (
          <Notice tone="yellow">
            {`We cannot reach the chain at the moment. Your money is safe at its address. Out of reach since ${localTime(unreachableSince)}.`}
          </Notice>
        )}
        {advice.map(({ kind, text }) => (
          <Notice key={kind} tone={TONES[kind]}>
            {text}
          </Notice>
        ))}
      </LiveRegion>
      {error !== undefined && <Alert>{error}</Alert>}
    </div>
  );
}
