import type { Receipt } from '@maker/contracts';
import { KeyValue, KeyValueList } from '@maker/ui';
import { useId } from 'react';
import { percent, signedHype, tokenPrice } from '../amounts.ts';
import * as styles from './quality-figures.module.css';
import { columns } from './two-columns.module.css';

/** The quality of the job's purchases so far; nothing before the first one. Source: docs/quality.md. */
export function QualityFigures({ receipt }: { readonly receipt: Receipt }) {
  const titleId = useId();
  const { quality, token } = receipt;
  if (!quality) return null;
  const { shortfall, againstSingleSwapBps, againstTwapBps } = quality;
  const price = (priceX96: string) => `${tokenPrice(BigInt(priceX96), token.decimals)} HYPE`;
  return (
    <section className={styles.quality} aria-labelledby={titleId}>
      <h3 className={styles.title} id={titleId}>
        Purchase quality
      </h3>
      <KeyValueList>
        <KeyValue name="Price you saw">{price(quality.arrivalPriceX96)}</KeyValue>
        <KeyValue name="Average price paid, pool fee included">{price(quality.averagePriceX96)}</KeyValue>
        <KeyValue name="Cost above that price, with all fees">{signedHype(shortfall.totalWei)}</KeyValue>
      </KeyValueList>
      <details className={styles.more}>
        <summary>All purchase figures</summary>
        <div className={columns}>
          <KeyValueList>
            <KeyValue name="Fewer tokens than quoted">{percent(quality.slippageBps)}</KeyValue>
            <KeyValue name="Price impact of the orders">{percent(quality.priceImpactBps)}</KeyValue>
            {againstSingleSwapBps !== undefined && (
              <KeyValue name="More tokens than one swap at the start">{percent(againstSingleSwapBps)}</KeyValue>
            )}
            {againstTwapBps !== undefined && (
              <KeyValue name="Cheaper than the pool's average price">{percent(againstTwapBps)}</KeyValue>
            )}
          </KeyValueList>
          <KeyValueList>
            <KeyValue name="Service fee">{signedHype(shortfall.serviceFeeWei)}</KeyValue>
            <KeyValue name="Network fees">{signedHype(shortfall.gasWei)}</KeyValue>
            <KeyValue name="Pool fee">{signedHype(shortfall.poolFeeWei)}</KeyValue>
            <KeyValue name="Impact of the orders">{signedHype(shortfall.impactWei)}</KeyValue>
            <KeyValue name="Price change by other traders">{signedHype(shortfall.driftWei)}</KeyValue>
          </KeyValueList>
        </div>
      </details>
    </section>
  );
}
