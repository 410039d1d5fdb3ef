import type { Receipt, ReceiptQuality } from '@maker/contracts';
import { KeyValue, KeyValueList } from '@maker/ui';
import { useId } from 'react';
import { hype, tokenPrice } from '../amounts.ts';
import * as styles from './quality-figures.module.css';

interface QualityFiguresProps {
  readonly receipt: Receipt;
  readonly quality: ReceiptQuality;
}

/** The quality of the job's purchases so far. Source: docs/quality.md. */
export function QualityFigures({ receipt, quality }: QualityFiguresProps) {
  const titleId = useId();
  const { token } = receipt;
  const totalWei = BigInt(quality.shortfall.totalWei);
  const price = (priceX96: string) => `${tokenPrice(BigInt(priceX96), token.decimals)} HYPE`;
  return (
    <section className={styles.quality} aria-labelledby={titleId}>
      <h3 className={styles.title} id={titleId}>
        Purchase quality
      </h3>
      <KeyValueList>
        <KeyValue name="Price you saw">{price(quality.arrivalPriceX96)}</KeyValue>
        <KeyValue name="Average price paid, pool fee included">{price(quality.averagePriceX96)}</KeyValue>
        <KeyValue name={`${totalWei < 0n ? 'Saved below' : 'Cost above'} that price, with all fees`}>
          {hype(totalWei < 0n ? -totalWei : totalWei)}
        </KeyValue>
      </KeyValueList>
    </section>
  );
}
