import type { Receipt, ReceiptOrder } from '@maker/contracts';
import { useMemo } from 'react';
import { tokenPrice } from '../amounts.ts';
import { localTime, localTimeToTheSecond } from '../local-time.ts';
import * as styles from './orders-in-pool.module.css';
import { PICTURE_SIZE, pricePicture } from './price-picture.ts';

interface OrdersInPoolProps {
  readonly receipt: Receipt;
  readonly orders: readonly ReceiptOrder[];
}

/** The orders as dots over the pool's price, with the band's limit and shaded pauses; the same as a table for screen readers. */
export function OrdersInPool({ receipt, orders }: OrdersInPoolProps) {
  const { decimals, symbol } = receipt.token;
  const picture = useMemo(() => pricePicture(orders, receipt), [orders, receipt]);
  if (!picture) return null;
  const { width, height } = PICTURE_SIZE;
  const { firstAt, lastAt, limitX96, limitY, pauses } = picture;
  const price = (priceX96: bigint) => `${tokenPrice(priceX96, decimals)} HYPE`;
  const [firstMs, lastMs] = [Date.parse(firstAt), Date.parse(lastAt)];
  return (
    <figure className={styles.picture}>
      <div className={styles.plot}>
        <span className={styles.price}>{price(picture.highestX96)}</span>
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
          {pauses.map(({ x, width: length }) => (
            <rect key={x} className={styles.pause} x={x} y={0} width={length} height={height} />
          ))}
          {limitY !== undefined && <rect className={styles.limit} x={0} y={0} width={width} height={limitY} />}
          <path className={styles.line} d={picture.line} />
          <path className={styles.dots} d={picture.dots} />
        </svg>
        <span className={styles.price}>{price(picture.lowestX96)}</span>
        <span className={styles.times} aria-hidden="true">
          {[0, 0.5, 1].map((part) => (
            <span key={part}>{localTime(new Date(firstMs + (lastMs - firstMs) * part).toISOString())}</span>
          ))}
        </span>
      </div>
      <figcaption>
        <ul className={styles.legend} aria-hidden="true">
          <li className={`${styles.key} ${styles.dotKey}`}>Price paid, pool fee included</li>
          <li className={`${styles.key} ${styles.lineKey}`}>Price of the pool</li>
          {pauses.length > 0 && <li className={`${styles.key} ${styles.pauseKey}`}>Pause</li>}
          {limitY !== undefined && <li className={`${styles.key} ${styles.limitKey}`}>Too expensive: no purchase</li>}
        </ul>
        <span>{`${picture.count.toLocaleString('en-US')} orders placed from ${localTimeToTheSecond(firstAt)} to ${localTimeToTheSecond(lastAt)}, in HYPE for one ${symbol}.`}</span>
        {limitX96 !== undefined && <span>{` The bot does not buy above ${price(limitX96)}.`}</span>}
      </figcaption>
      {/* A browser never makes a table narrower than its text, so this element hides it. */}
      <div className="visually-hidden">
        <table>
          <caption>Pool price and price paid for some orders</caption>
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">Pool price before</th>
              <th scope="col">Price paid</th>
            </tr>
          </thead>
          <tbody>
            {picture.rows.map(({ at, beforeX96, paidX96 }) => (
              <tr key={`${at} ${paidX96}`}>
                <th scope="row">{localTimeToTheSecond(at)}</th>
                <td>{price(beforeX96)}</td>
                <td>{price(paidX96)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
