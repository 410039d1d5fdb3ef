import { Icon, LiveRegion } from '@maker/ui';
import { countdownAnnouncement, countdownText } from './countdown.ts';

/** The countdown to the deadline. @param leftMs ms */
export function TimeLeft({ leftMs }: { readonly leftMs: number }) {
  return (
    <div className="time-left">
      <Icon name="clock" />
      <span role="timer" className="time-left__figures">
        {countdownText(leftMs)}
      </span>
      <span>left to pay</span>
      <LiveRegion hidden>{countdownAnnouncement(leftMs)}</LiveRegion>
    </div>
  );
}
