import { displayStatus, isFinal, type JobStatus } from '@maker/rules';
import { Button } from '@maker/ui';
import { attempt, logRefusal } from '@maker/web-kit';
import { type ReactNode, useEffect, useRef, useState } from 'react';

/** The state that a visitor waits to change. */
export interface Watched {
  readonly jobId: string;
  readonly status: JobStatus;
  readonly isReceived: boolean;
  /** A part of the payment is in a block that is not confirmed yet. */
  readonly isSeen: boolean;
}

/**
 * After one click, notifies of the payment and of the job's end while the page is open. Source: design § 8.
 * @param watched undefined before the first answer; the first state causes no notification
 * @returns the button, or a text that notifications are on; false if notifications are not possible
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
    if (!isNews || !text || permission !== 'granted') return;
    // The tag lets a notification replace an earlier one of the same job, also from another tab.
    const sent = attempt(() => new Notification(text, { tag: jobId }));
    // Android's browsers refuse also behind a desktop's user agent: stop saying that notifications are on.
    if (!sent) setPermission('denied');
  }, [text, jobId, permission]);
  if (!watched || isFinal(watched.status)) return false;
  if (permission === 'granted') return <span>Notifications are on</span>;
  return (
    permission === 'default' && (
      <Button variant="quiet" onClick={async () => setPermission(await askPermission())}>
        Notify me
      </Button>
    )
  );
}

/** Denied on Android: no browser there lets a page notify without a service worker. */
function initialPermission(): NotificationPermission {
  if (/Android/.test(navigator.userAgent)) return 'denied';
  return attempt(() => globalThis.Notification?.permission) ?? 'denied';
}

async function askPermission(): Promise<NotificationPermission> {
  try {
    return await Notification.requestPermission();
  } catch (error) {
    logRefusal(error);
    return 'denied';
  }
}

function newsOf({ status, isReceived, isSeen }: Watched): string | false {
  if (isFinal(status)) return displayStatus(status, false, false).label;
  if (isReceived) return 'Payment received, your job has started';
  return isSeen && 'Payment seen, waiting for confirmation';
}
