import { Button, Icon, LiveRegion } from '@maker/ui';
import type { ApiClient } from '@maker/web-kit';
import { useState } from 'react';

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

/** Hands a text to the visitor as a file. @param type media type */
function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
