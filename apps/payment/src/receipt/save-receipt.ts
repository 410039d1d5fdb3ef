import { type ApiClient, getReceiptFile, type ReceiptFileName } from '@maker/web-kit';
import { saveFile } from '../save-file.ts';

/** Ending and media type of the visitor's file. */
const FORMATS = {
  'receipt.csv': { ending: 'csv', type: 'text/csv;charset=utf-8' },
  'receipt.json': { ending: 'json', type: 'application/json' },
} as const satisfies Record<ReceiptFileName, object>;

/** Fetches a file of the receipt and saves it. @returns whether the service sent it */
export async function saveReceipt(api: Pick<ApiClient, 'ask'>, jobId: string, name: ReceiptFileName): Promise<boolean> {
  const file = await getReceiptFile(api, jobId, name);
  const { ending, type } = FORMATS[name];
  if (file.ok) saveFile(`${jobId}.${ending}`, type, file.data);
  return file.ok;
}
