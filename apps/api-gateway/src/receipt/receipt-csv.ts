import type { ReceiptOrder, ReceiptTransfer } from '@maker/contracts';
import { formatHype, formatUnits } from '@maker/rules';

const COLUMNS = [
  'kind',
  'number',
  'status',
  'transaction_hash',
  'placed_at',
  'mined_at',
  'block_number',
  'exchange',
  'to',
  'amount_hype',
  'gas_hype',
  'cost_hype',
  'tokens',
  'price_hype_per_token',
  'quoted_tokens',
  'minimum_tokens',
  'merged',
  'retry_of',
  'failure',
] as const;

type Line = Partial<Record<(typeof COLUMNS)[number], string | number | undefined>>;

/** First line of the receipt: the names of its columns. */
export const RECEIPT_CSV_HEADER = `${COLUMNS.join(',')}\r\n`;

/**
 * One order as a line: cost is trade plus gas, price is what was paid in the pool per whole token; both exact decimals
 * in HYPE. Source: design § 2.6. @param decimals of the token
 */
export function orderLine(order: ReceiptOrder, decimals: number): string {
  const tradeWei = BigInt(order.tradeWei);
  const gasWei = BigInt(order.gasWei);
  const tokens = BigInt(order.tokensBought);
  return write({
    kind: 'order',
    number: order.number,
    status: order.status,
    transaction_hash: order.transactionHash,
    placed_at: order.placedAt,
    mined_at: order.minedAt,
    block_number: order.blockNumber,
    exchange: order.exchange,
    amount_hype: formatHype(tradeWei),
    gas_hype: formatHype(gasWei),
    cost_hype: formatHype(tradeWei + gasWei),
    tokens: formatUnits(tokens, decimals),
    price_hype_per_token: tokens === 0n ? undefined : formatHype((tradeWei * 10n ** BigInt(decimals)) / tokens),
    quoted_tokens: tokensOf(order.quotedTokens, decimals),
    minimum_tokens: tokensOf(order.minimumTokens, decimals),
    merged: order.merged,
    retry_of: order.retryOf,
    failure: order.failure,
  });
}

/** The fee, the delivery or a return as a line. @param decimals of the token */
export function transferLine(transfer: ReceiptTransfer, decimals: number): string {
  const amount = BigInt(transfer.amount);
  const gasWei = BigInt(transfer.gasWei);
  const amountWei = transfer.kind === 'delivery' ? 0n : amount;
  return write({
    kind: transfer.kind,
    status: transfer.status,
    transaction_hash: transfer.transactionHash,
    to: transfer.to,
    amount_hype: formatHype(amountWei),
    gas_hype: formatHype(gasWei),
    cost_hype: formatHype(amountWei + gasWei),
    tokens: transfer.kind === 'delivery' ? formatUnits(amount, decimals) : undefined,
  });
}

function tokensOf(units: string | undefined, decimals: number): string | undefined {
  return units === undefined ? undefined : formatUnits(BigInt(units), decimals);
}

/** Values come from closed sets, numbers and hashes; names that others choose (a token's symbol) are not among them. */
function write(line: Line): string {
  return `${COLUMNS.map((column) => line[column] ?? '').join(',')}\r\n`;
}
