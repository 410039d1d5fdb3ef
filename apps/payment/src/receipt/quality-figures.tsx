import type { Receipt } from '@maker/contracts';
import { KeyValue, KeyValueList } from '@maker/ui';
import { useId } from 'react';
import { signedHype, tokenPrice } from '../amounts.ts';
import * as styles from './quality-figures.module.css';

/** The quality of the job's purchases so far; nothing before the first one. Source: docs/quality.md. */
export function QualityFigures({ receipt }: { readonly receipt: Receipt }) {
  const titleId = useId();
  const { quality, token } = receipt;
  if (!quality) return null;
  const price = (priceX96: string) => `${tokenPrice(BigInt(priceX96), token.decimals)} HYPE`;
  return (
    <section className={styles.quality} aria-labelledby={titleId}>
      <h3 className={styles.title} id={titleId}>
        Purchase quality
      </h3>
      <KeyValueList>
        <KeyValue name="Price you saw">{price(quality.arrivalPriceX96)}</KeyValue>
        <KeyValue name="Average price paid, pool fee included">{price(quality.averagePriceX96)}</KeyValue>
        <KeyValue name="Cost above that price, with all fees">{signedHype(quality.shortfall.totalWei)}</KeyValue>
      </KeyValueList>
    </section>
  );
}
