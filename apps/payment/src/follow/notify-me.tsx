import { displayStatus, isFinal, type JobStatus } from '@maker/rules';
import { Button } from '@maker/ui';
import { type ReactNode, useEffect, useRef, useState } from 'react';

/** What a visitor waits for. */
export interface Watched {
  readonly jobId: string;
  readonly status: JobStatus;
  readonly isReceived: boolean;
  /** Some of the payment is in a block that is not confirmed yet. */
  readonly isSeen: boolean;
}

/**
 * After one click, notifies of the payment and of the job's end, as long as the page is open. Source: design § 8.
 * @param watched undefined before the first answer, which is no news
 * @returns the button, or that notifications are on; false where there is nothing to offer
 */
export function useNotifyMe(watched: Watched | undefined): ReactNode {
  const [permission, setPermission] = useState(initialPermission);
  const text = watched && newsOf(watched);
  const last = useRef(text);
  const jobId = watched?.jobId ?? '';
  useEffect(() => {
    if (text === last.current) return;
    const isNews = last.current !== undefined;
    last.current = text;
    // The tag lets one notification replace another, also that of another tab.
    if (isNews && text && permission === 'granted') new Notification(text, { tag: jobId });
  }, [text, jobId, permission]);
  if (!watched || isFinal(watched.status)) return false;
  if (permission === 'granted') return <span>Notifications are on</span>;
  return (
    permission === 'default' && (
      <Button variant="quiet" onClick={async () => setPermission(await Notification.requestPermission())}>
        Notify me
      </Button>
    )
  );
}

/** No browser of Android lets a page notify without a service worker. */
function initialPermission(): NotificationPermission {
  return globalThis.Notification && !/Android/.test(navigator.userAgent) ? Notification.permission : 'denied';
}

function newsOf({ status, isReceived, isSeen }: Watched): string | false {
  if (isFinal(status)) return displayStatus(status, false, false).label;
  if (isReceived) return 'Payment received, your job has started';
  return isSeen && 'Payment seen, waiting for confirmation';
}
