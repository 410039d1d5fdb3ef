import type { LiquidityStatus } from '@maker/contracts';
import { formatHype } from '@maker/rules';

/** Shown when the server names no exchange. Source: specification § 2 'Token'. */
const NO_EXCHANGE = 'Auto-selected';

/** Shown when a pool exists and the server gives no amount. Source: specification § 2 'Token'. */
const NO_AMOUNT = 'Available';

/** The chosen exchange in upper case. Source: specification § 2 'Token'. */
export function exchangeLabel(selectedDex: string | null | undefined): string {
  return selectedDex ? selectedDex.toUpperCase() : NO_EXCHANGE;
}

/** One line for each existing kind of pool, such as '1,234.5 HYPE' or 'Available'. Source: specification § 2 'Token'. */
export function liquidityLines(status: LiquidityStatus): readonly { readonly name: string; readonly value: string }[] {
  const { hasV2, hasV3, v2LiquidityWei, v2LiquidityHype, v3LiquidityWei, v3LiquidityHype } = status;
  return [
    ...(hasV2 ? [{ name: 'V2 Liquidity', value: liquidityInHype(v2LiquidityWei, v2LiquidityHype) }] : []),
    ...(hasV3 ? [{ name: 'V3 Liquidity', value: liquidityInHype(v3LiquidityWei, v3LiquidityHype) }] : []),
  ];
}

/**
 * Formats the exact amount if the server sends it, else the number for display. Cut to two decimals; below 0.01 to two
 * significant digits, so that a small amount is not shown as 0.
 */
function liquidityInHype(wei: string | null | undefined, hype: number | null | undefined): string {
  if (wei != null) return `${withThousands(cut(formatHype(BigInt(wei))))} HYPE`;
  if (hype != null) return `${withThousands(cut(hype.toFixed(18)))} HYPE`;
  return NO_AMOUNT;
}

function cut(decimal: string): string {
  const [whole = '0', fraction = ''] = decimal.split('.');
  const zeros = Number(whole) === 0 ? (/^0*/.exec(fraction)?.[0].length ?? 0) : 0;
  const kept = fraction.slice(0, zeros > 1 ? zeros + 2 : 2).replace(/0+$/, '');
  return kept ? `${whole}.${kept}` : whole;
}

function withThousands(decimal: string): string {
  const [whole = '', fraction] = decimal.split('.');
  return BigInt(whole).toLocaleString('en-US') + (fraction ? `.${fraction}` : '');
}
