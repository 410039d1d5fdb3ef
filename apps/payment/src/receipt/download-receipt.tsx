import { Button, ExternalLink, Icon, icons, LiveRegion } from '@maker/ui';
import type { ApiClient, ReceiptFileName } from '@maker/web-kit';
import { useState } from 'react';
import { saveFile } from '../save-file.ts';
import * as styles from './download-receipt.module.css';

const FILES = [
  { name: 'receipt.csv', ending: 'csv', type: 'text/csv;charset=utf-8', label: 'Download CSV' },
  { name: 'receipt.json', ending: 'json', type: 'application/json', label: 'Download Signed Receipt' },
] as const satisfies readonly { readonly name: ReceiptFileName; readonly [more: string]: string }[];

type File = (typeof FILES)[number];

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
  const download = async ({ name, ending, type }: File) => {
    setBusy(name);
    const file = await api.getReceiptFile(jobId, name);
    if (file.ok) saveFile(`${jobId}.${ending}`, type, file.data);
    setFailed(!file.ok);
    setBusy(undefined);
  };
  return (
    <div className={styles.download}>
      <LiveRegion>{isFailed && <span className={styles.failed}>The download failed. Try again</span>}</LiveRegion>
      {FILES.map((file) => (
        <Button key={file.name} variant="secondary" busy={busy === file.name} onClick={() => download(file)}>
          {busy !== file.name && <Icon path={icons.DOWNLOAD} />}
          <span>{file.label}</span>
        </Button>
      ))}
      {verifyUrl !== '' && <ExternalLink href={verifyUrl}>Verify it</ExternalLink>}
    </div>
  );
}
