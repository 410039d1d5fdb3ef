import { Button, CopyButton, Icon, icons, Notice } from '@maker/ui';
import { jobLink } from '@maker/web-kit';
import * as copied from '../copied-text.module.css';
import { saveFile } from '../save-file.ts';
import * as styles from './job-links.module.css';
import { PrivateCodeForm } from './private-code-form.tsx';

interface JobLinksProps {
  readonly jobId: string;
  /** Whether this browser keeps the job and its code. */
  readonly isStored: boolean;
  /** The payer's code in this browser; absent for a reader of the link. */
  readonly privateCode: string | undefined;
  /** Whether the code was entered here: another one can replace it. */
  readonly isCodeTyped: boolean;
  /** Called with an entered code; absent if no code has power over the job any more. */
  readonly onCode: ((privateCode: string) => void) | undefined;
}

/** The link to the job, which has no power, and beside it the payer's private code, or the field for it. */
export default function JobLinks({ jobId, isStored, privateCode, isCodeTyped, onCode }: JobLinksProps) {
  const link = jobLink(location.origin, jobId);
  return (
    <>
      {!isStored && (
        <Notice tone="yellow">
          This browser stores nothing. After you close this page, only its link and your private code open the job. Keep
          both.
        </Notice>
      )}
      <div className={styles.link}>
        <p>
          <strong>The link</strong> opens this page on any device. It has no power: you may share it.
        </p>
        <CopyButton text={link} label="Copy Link" confirmation="Link copied to clipboard!" />
      </div>
      {onCode && privateCode !== undefined && (
        <div className={styles.link}>
          <p>
            <strong>Your private code</strong> stops the job and names its return address. Enter it on this page on
            another device. Keep it secret.
          </p>
          <p className={`${copied.text} code`} translate="no">
            {privateCode}
          </p>
          <div className={styles.actions}>
            <CopyButton text={privateCode} label="Copy Private Code" confirmation="Private code copied to clipboard!" />
            <Button
              variant="secondary"
              onClick={() => saveFile(`${jobId}.code.txt`, 'text/plain;charset=utf-8', codeFile(link, privateCode))}
            >
              <Icon path={icons.DOWNLOAD} />
              <span>Download Private Code</span>
            </Button>
          </div>
        </div>
      )}
      {onCode && (privateCode === undefined || isCodeTyped) && (
        <div className={styles.link}>
          <PrivateCodeForm onCode={onCode} />
        </div>
      )}
    </>
  );
}

function codeFile(link: string, privateCode: string): string {
  return `Job: ${link}\nPrivate code: ${privateCode}\nWhoever has this code can stop the job and name its return address.\n`;
}
