import { Button, Icon, LiveRegion } from '@maker/ui';
import type { ApiClient } from '@maker/web-kit';
import { useState } from 'react';
import { saveFile } from './save-file.ts';

/** Props of `DownloadCsv`. */
export interface DownloadCsvProps {
  readonly api: ApiClient;
  readonly jobId: string;
}

/** Fetches the receipt as a table, because a plain link could not send the API key, and hands it over as a file. */
export function DownloadCsv({ api, jobId }: DownloadCsvProps) {
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle');
  const download = async () => {
    setState('busy');
    const receipt = await api.getReceiptCsv(jobId);
    if (receipt.ok) saveFile(`${jobId}.csv`, 'text/csv;charset=utf-8', receipt.data);
    setState(receipt.ok ? 'idle' : 'failed');
  };
  return (
    <div className="download">
      <LiveRegion>
        {state === 'failed' && <span className="download__failed">The download failed, try again</span>}
      </LiveRegion>
      <Button variant="secondary" busy={state === 'busy'} onClick={download}>
        {state !== 'busy' && <Icon name="download" />}
        Download CSV
      </Button>
    </div>
  );
}
