import { Button, ExternalLink, Icon, icons, LiveRegion } from '@maker/ui';
import { type ApiClient, logQuietly, type ReceiptFileName } from '@maker/web-kit';
import { useState } from 'react';
import * as styles from './download-receipt.module.css';

const FILES = [
  { name: 'receipt.csv', label: 'Download CSV' },
  { name: 'receipt.json', label: 'Download Signed Receipt' },
] as const satisfies readonly { readonly name: ReceiptFileName; readonly label: string }[];

interface DownloadReceiptProps {
  readonly api: ApiClient;
  readonly jobId: string;
  /** The page that checks receipts; empty if there is none. */
  readonly verifyUrl: string;
}

/** Downloads the receipt as a table, or signed by the job's wallet. By fetch, since a plain link cannot send the API key. */
export function DownloadReceipt({ api, jobId, verifyUrl }: DownloadReceiptProps) {
  const [busy, setBusy] = useState<ReceiptFileName>();
  const [isFailed, setFailed] = useState(false);
  const download = async (name: ReceiptFileName) => {
    setBusy(name);
    setFailed(!(await isSaved(api, jobId, name)));
    setBusy(undefined);
  };
  return (
    <div className={styles.download}>
      <LiveRegion>{isFailed && <span className={styles.failed}>The download failed. Try again</span>}</LiveRegion>
      {FILES.map(({ name, label }) => (
        <Button key={name} variant="secondary" busy={busy === name} onClick={() => download(name)}>
          {busy !== name && <Icon path={icons.DOWNLOAD} />}
          <span>{label}</span>
        </Button>
      ))}
      {verifyUrl !== '' && <ExternalLink href={verifyUrl}>Verify it</ExternalLink>}
    </div>
  );
}

/** Saves a file by code that is loaded on demand: few visitors save the receipt. */
async function isSaved(api: ApiClient, jobId: string, name: ReceiptFileName): Promise<boolean> {
  try {
    const { saveReceipt } = await import(/* webpackChunkName: "change-return-address" */ './save-receipt.ts');
    return await saveReceipt(api, jobId, name);
  } catch (error) {
    logQuietly('The receipt could not be saved', error);
    return false;
  }
}
