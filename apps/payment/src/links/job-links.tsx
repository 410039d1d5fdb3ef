import { Button, CopyButton } from '@maker/ui';
import { jobLink, type LinkedJob, logQuietly } from '@maker/web-kit';
import { useState } from 'react';
import * as copied from '../copied-text.module.css';
import * as styles from './job-links.module.css';

const KEPT_LINKS_KEY = 'hyperevm-maker.private-links-kept';

/** Number of jobs whose private link the browser remembers as saved. */
const MOST_KEPT = 20;

interface JobLinksProps {
  /** Without the secret if the job can no longer be stopped. */
  readonly job: LinkedJob;
}

/** Links that open this page on another device: one to share, and the payer's private one, which is shown once. */
export default function JobLinks({ job: { jobId, stopSecret } }: JobLinksProps) {
  const [isShown, setShown] = useState(() => stopSecret !== undefined && !isShownBefore(jobId));
  const hide = () => {
    rememberShown(jobId);
    setShown(false);
  };
  const toShare = jobLink(location.origin, { jobId });
  const own = stopSecret === undefined ? undefined : jobLink(location.origin, { jobId, stopSecret });
  return (
    <>
      {own !== undefined && (
        <div className={styles.link}>
          <p>
            <strong>Your private link</strong> opens this page on another device and can stop the job there. Keep it
            secret: the history of that browser stores it too.
          </p>
          {isShown && (
            <p className={`${copied.text} code`} translate="no">
              {own}
            </p>
          )}
          <div className={styles.actions}>
            <CopyButton text={own} label="Copy Private Link" confirmation="Private link copied to clipboard!" />
            {isShown && (
              <Button variant="quiet" onClick={hide}>
                I saved it
              </Button>
            )}
          </div>
        </div>
      )}
      <div className={styles.link}>
        <p>
          <strong>A link to share</strong> shows the receipt to anyone who has it. It cannot stop the job.
        </p>
        <CopyButton text={toShare} label="Copy Link to Share" confirmation="Link copied to clipboard!" />
      </div>
    </>
  );
}

/** Whether the payer has confirmed in this browser that they saved the private link of a job. */
function isShownBefore(jobId: string): boolean {
  return keptLinks().includes(jobId);
}

/** Records that the payer saved the private link of a job: the page does not show it again. */
function rememberShown(jobId: string): void {
  try {
    localStorage.setItem(KEPT_LINKS_KEY, JSON.stringify([jobId, ...keptLinks()].slice(0, MOST_KEPT)));
  } catch (error) {
    logQuietly('Kept link not saved', error);
  }
}

function keptLinks(): readonly unknown[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT_LINKS_KEY) ?? '[]');
    return Array.isArray(kept) ? kept : [];
  } catch (error) {
    logQuietly('Kept links not read', error);
    return [];
  }
}
