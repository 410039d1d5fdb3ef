import type { LiquidityStatus } from '@maker/contracts';
import { formatHypeShort } from '@maker/rules';

/** Shown when the server names no exchange. Source: specification § 2 'Token'. */
const NO_EXCHANGE = 'Auto-selected';

/** Shown when a pool exists and the server gives no amount. Source: specification § 2 'Token'. */
const NO_AMOUNT = 'Available';

/** The chosen exchange as shown: in upper case. Source: specification § 2 'Token'. */
export function exchangeLabel(selectedDex: string | undefined): string {
  return selectedDex ? selectedDex.toUpperCase() : NO_EXCHANGE;
}

/** One line of the success panel. */
export interface LiquidityLine {
  readonly name: 'V2 Liquidity' | 'V3 Liquidity';
  /** Such as '1,234.5 HYPE' or 'Available'. */
  readonly value: string;
}

/** A line for each kind of pool that exists. Source: specification § 2 'Token'. */
export function liquidityLines(status: LiquidityStatus): readonly LiquidityLine[] {
  const lines: LiquidityLine[] = [];
  if (status.hasV2) {
    lines.push({ name: 'V2 Liquidity', value: liquidityInHype(status.v2LiquidityWei, status.v2LiquidityHype) });
  }
  if (status.hasV3) {
    lines.push({ name: 'V3 Liquidity', value: liquidityInHype(status.v3LiquidityWei, status.v3LiquidityHype) });
  }
  return lines;
}

/** The exact amount where the server gives it, else the number meant for display; both cut to two decimals. */
function liquidityInHype(wei: string | undefined, hype: number | undefined): string {
  if (wei !== undefined) return `${withThousands(formatHypeShort(BigInt(wei), 2))} HYPE`;
  if (hype !== undefined) return `${hype.toLocaleString('en-US', { maximumFractionDigits: 2 })} HYPE`;
  return NO_AMOUNT;
}

function withThousands(decimal: string): string {
  const [whole = '', fraction] = decimal.split('.');
  return BigInt(whole).toLocaleString('en-US') + (fraction ? `.${fraction}` : '');
}
