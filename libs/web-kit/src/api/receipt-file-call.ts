import { type ApiClient, jobPath } from './api-client.ts';
import type { ApiResult } from './api-result.ts';

/** The receipt as a table, or signed by the job's wallet. */
export type ReceiptFileName = 'receipt.csv' | 'receipt.json';

/** `GET /jobs/{jobId}/receipt.csv` or `receipt.json`: the whole receipt as text. The payment step loads it on demand. */
export function getReceiptFile(
  api: Pick<ApiClient, 'ask'>,
  jobId: string,
  name: ReceiptFileName,
): Promise<ApiResult<string>> {
  return api.ask({ method: 'GET', path: `${jobPath(jobId)}/${name}` }, (text) => ({ ok: true, data: text }));
}
