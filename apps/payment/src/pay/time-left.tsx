import { Icon, icons, LiveRegion } from '@maker/ui';
import { countdownAnnouncement, countdownText } from './countdown.ts';
import * as styles from './time-left.module.css';

/** The countdown to the deadline. @param leftMs ms */
export function TimeLeft({ leftMs }: { readonly leftMs: number }) {
  return (
    <div className={styles.line}>
      <Icon path={icons.CLOCK} />
      <span role="timer" aria-label="Time left" className={styles.figures}>
        {countdownText(leftMs)}
      </span>
      <LiveRegion hidden>{countdownAnnouncement(leftMs)}</LiveRegion>
    </div>
  );
}
