import { Icon, icons, LiveRegion } from '@maker/ui';
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

/** Formats the time left as minutes and seconds, such as '14:05'; '0:00' when none is left. @param leftMs ms */
export function countdownText(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

const ANNOUNCED: readonly (readonly [number, string])[] = [
  [30, '30 seconds'],
  [60, '1 minute'],
  [120, '2 minutes'],
  [300, '5 minutes'],
  [600, '10 minutes'],
];

/**
 * The announcement of the time left for screen readers. It changes only a few times, so that the countdown does not
 * interrupt other speech. @param leftMs ms
 */
export function countdownAnnouncement(leftMs: number): string {
  if (leftMs <= 0) return 'The time to pay is over';
  const most = ANNOUNCED.find(([seconds]) => leftMs <= seconds * 1000);
  return most ? `Less than ${most[1]} left to pay` : '';
}
