import type {
  DepositTransaction,
  Receipt,
  ReceiptOrder,
  ReceiptPause,
  ReceiptQuality,
  ReceiptTransfer,
} from '@maker/contracts';
import { costAt, formatHype, formatUnits } from '@maker/rules';

const COLUMNS = [
  'kind',
  'number',
  'status',
  'transaction_hash',
  'placed_at',
  'mined_at',
  'block_number',
  'exchange',
  'from',
  'to',
  'asset',
  'amount',
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
  'pool_price_before',
  'pool_price_after',
  'pool_fee_hype',
  'figure',
  'value',
  'since',
  'until',
  'reason',
] as const;

type Token = Pick<Receipt['token'], 'address' | 'decimals'>;

type Line = Partial<Record<(typeof COLUMNS)[number], string | number | undefined>>;

/** First line of the receipt: the names of its columns. */
export const RECEIPT_CSV_HEADER = `${COLUMNS.join(',')}\r\n`;

/**
 * One order as a line. The cost is trade plus gas. The price is HYPE paid in the pool for a whole token. Both are exact
 * decimals in HYPE. Source: design § 2.6. @param decimals of the token @param wallet of the job
 */
export function orderLine(order: ReceiptOrder, decimals: number, wallet: string): string {
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
    from: wallet,
    ...asset('HYPE', formatHype(tradeWei)),
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
    pool_price_before: priceOf(order.poolPriceBeforeX96, decimals),
    pool_price_after: priceOf(order.poolPriceAfterX96, decimals),
    pool_fee_hype: order.poolFeeWei === undefined ? undefined : formatHype(BigInt(order.poolFeeWei)),
  });
}

/** A transaction that paid for the job as a line. @param wallet of the job */
export function depositLine(deposit: DepositTransaction, wallet: string): string {
  const amount = formatHype(BigInt(deposit.amountWei));
  return write({
    kind: 'deposit',
    transaction_hash: deposit.transactionHash,
    mined_at: deposit.minedAt,
    block_number: deposit.blockNumber,
    from: deposit.from,
    to: wallet,
    ...asset('HYPE', amount),
    amount_hype: amount,
  });
}

/** The fee, the delivery or a return as a line. @param wallet of the job */
export function transferLine(transfer: ReceiptTransfer, token: Token, wallet: string): string {
  const { decimals } = token;
  const amount = BigInt(transfer.amount);
  const gasWei = BigInt(transfer.gasWei);
  const amountWei = transfer.kind === 'delivery' ? 0n : amount;
  return write({
    kind: transfer.kind,
    status: transfer.status,
    transaction_hash: transfer.transactionHash,
    mined_at: transfer.minedAt,
    block_number: transfer.blockNumber,
    from: wallet,
    to: transfer.to,
    ...(transfer.kind === 'delivery'
      ? asset(token.address, formatUnits(amount, decimals))
      : asset('HYPE', formatHype(amount))),
    amount_hype: formatHype(amountWei),
    gas_hype: formatHype(gasWei),
    cost_hype: formatHype(amountWei + gasWei),
    tokens: transfer.kind === 'delivery' ? formatUnits(amount, decimals) : undefined,
  });
}

/** HYPE and tokens that are left in the job's wallet or held, as a line; empty if there are none. @param decimals of the token */
export function heldLine({ heldWei, heldTokens }: Pick<Receipt, 'heldWei' | 'heldTokens'>, decimals: number): string {
  if (heldWei === '0' && (heldTokens ?? '0') === '0') return '';
  return write({ kind: 'held', amount_hype: formatHype(BigInt(heldWei)), tokens: tokensOf(heldTokens, decimals) });
}

/** A period in which the job placed no order, as a line. */
export function pauseLine({ reason, since, until }: ReceiptPause): string {
  return write({ kind: 'pause', since, until, reason });
}

/**
 * Execution quality, one figure per line: prices and amounts in HYPE, differences in basis points. Source: docs/quality.md.
 * @param decimals of the token
 */
export function qualityLines(quality: ReceiptQuality, decimals: number): readonly string[] {
  const { shortfall, twapX96, againstSingleSwapBps, againstTwapBps } = quality;
  const amount = (wei: string) => formatHype(BigInt(wei));
  const figures: readonly (readonly [figure: string, value: string | number | undefined])[] = [
    ['arrival_price_hype_per_token', priceOf(quality.arrivalPriceX96, decimals)],
    ['average_price_hype_per_token', priceOf(quality.averagePriceX96, decimals)],
    ['twap_hype_per_token', priceOf(twapX96, decimals)],
    ['slippage_to_quote_bps', quality.slippageBps],
    ['price_impact_bps', quality.priceImpactBps],
    ['shortfall_hype', amount(shortfall.totalWei)],
    ['shortfall_bps', quality.shortfallBps],
    ['shortfall_impact_hype', amount(shortfall.impactWei)],
    ['shortfall_drift_hype', amount(shortfall.driftWei)],
    ['shortfall_pool_fee_hype', amount(shortfall.poolFeeWei)],
    ['shortfall_gas_hype', amount(shortfall.gasWei)],
    ['shortfall_service_fee_hype', amount(shortfall.serviceFeeWei)],
    ['against_single_swap_bps', againstSingleSwapBps],
    ['against_twap_bps', againstTwapBps],
  ];
  return figures.flatMap(([figure, value]) => (value === undefined ? [] : write({ kind: 'quality', figure, value })));
}

/** What leaves `from`: HYPE, or a token by its address, since strangers choose symbols; with its amount in whole units. */
function asset(name: string, amount: string): Line {
  return { asset: name, amount };
}

/** Price of a whole token in HYPE. */
function priceOf(priceX96: string | undefined, decimals: number): string | undefined {
  return priceX96 === undefined ? undefined : formatHype(costAt(10n ** BigInt(decimals), BigInt(priceX96)));
}

function tokensOf(units: string | undefined, decimals: number): string | undefined {
  return units === undefined ? undefined : formatUnits(BigInt(units), decimals);
}

/** Values come from closed sets, or are numbers or hashes, so none needs quotes. Names that strangers choose, such as a symbol, are left out. */
function write(line: Line): string {
  return `${COLUMNS.map((column) => line[column] ?? '').join(',')}\r\n`;
}
