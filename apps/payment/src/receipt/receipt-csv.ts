import type { JobStatusResponse, ReceiptOrder } from '@maker/contracts';
import { formatHype } from '@maker/rules';

const COLUMNS = [
  'kind',
  'number',
  'time',
  'status',
  'transaction',
  'block',
  'exchange',
  'hype',
  'gas_hype',
  'tokens_smallest_unit',
  'to',
];

/**
 * The receipt as a table for spreadsheets: fee, orders, delivery and return, one a line, amounts exact.
 * Source: design § 2.6.
 */
export function receiptCsv(job: JobStatusResponse, orders: readonly ReceiptOrder[]): string {
  const rows: string[][] = [COLUMNS];
  for (const order of orders) {
    rows.push([
      'order',
      String(order.number),
      order.minedAt ?? order.placedAt,
      order.status,
      order.transactionHash,
      order.blockNumber === undefined ? '' : String(order.blockNumber),
      order.exchange,
      formatHype(BigInt(order.tradeWei)),
      formatHype(BigInt(order.gasWei)),
      order.tokensBought,
      '',
    ]);
  }
  for (const transfer of job.receipt?.transfers ?? []) {
    const isTokens = transfer.kind === 'delivery';
    rows.push([
      transfer.kind,
      '',
      '',
      transfer.status,
      transfer.transactionHash,
      '',
      '',
      isTokens ? '' : formatHype(BigInt(transfer.amount)),
      formatHype(BigInt(transfer.gasWei)),
      isTokens ? transfer.amount : '',
      transfer.to,
    ]);
  }
  return `${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}

/** Quoted where the text would break the table; a leading formula sign is kept from running in a spreadsheet. */
function cell(text: string): string {
  const inert = /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
