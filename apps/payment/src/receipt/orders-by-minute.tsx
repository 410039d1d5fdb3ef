import type { Receipt, ReceiptOrder } from '@maker/contracts';
import { Button } from '@maker/ui';
import { useMemo, useState } from 'react';
import { averagePrice, hype, tokenAmount } from '../amounts.ts';
import { TransactionLink } from '../explorer-link.tsx';
import { localTime, localTimeToTheSecond } from '../local-time.ts';
import { type OrderMinute, orderMinutes, timeOf } from './order-minutes.ts';
import * as styles from './orders-by-minute.module.css';
import { useOnPaper } from './paper.tsx';
import { isPending, shownStatus } from './shown-status.ts';

const COLUMNS = ['Time', 'Orders', 'Spent', 'Bought'];
const SHOWN_AT_FIRST = 5;
const SHOWN_MORE = 100;

interface OrdersByMinuteProps {
  readonly orders: readonly ReceiptOrder[];
  readonly token: Receipt['token'];
  readonly explorerUrl: string;
}

/** The orders of each minute, the newest first; a press shows each of them with its transaction. */
export function OrdersByMinute({ orders, ...common }: OrdersByMinuteProps) {
  const [shown, setShown] = useState(SHOWN_AT_FIRST);
  const isOnPaper = useOnPaper();
  const minutes = useMemo(() => orderMinutes(orders), [orders]);
  const newest = isOnPaper ? minutes : minutes.slice(0, shown);
  const hidden = minutes.length - newest.length;
  return (
    <section className={styles.orders} aria-label="Orders">
      <table className={styles.table}>
        <thead>
          <tr>
            {COLUMNS.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {newest.map((minute) => (
            <Minute key={minute.at} minute={minute} isOnPaper={isOnPaper} {...common} />
          ))}
        </tbody>
      </table>
      {hidden > 0 && (
        <Button variant="quiet" onClick={() => setShown(shown + SHOWN_MORE)}>
          {`Show ${Math.min(hidden, SHOWN_MORE)} more of ${minutes.length} minutes`}
        </Button>
      )}
    </section>
  );
}

interface MinuteProps extends Omit<OrdersByMinuteProps, 'orders'> {
  readonly minute: OrderMinute;
  readonly isOnPaper: boolean;
}

function Minute({ minute: { at, orders, spentWei, bought }, isOnPaper, token, explorerUrl }: MinuteProps) {
  const [isOpened, setOpened] = useState(false);
  const isOpen = isOpened || isOnPaper;
  return (
    <>
      <tr>
        <th scope="row">
          <button type="button" className={styles.minute} aria-expanded={isOpen} onClick={() => setOpened(!isOpened)}>
            {localTime(at)}
          </button>
        </th>
        <td>{orders.length}</td>
        <td>{spentWei === undefined ? 'pending' : hype(spentWei)}</td>
        <td>{bought === undefined ? 'pending' : `${tokenAmount(bought, token.decimals)} ${token.symbol}`}</td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={COLUMNS.length}>
            <ul className={styles.cards}>
              {orders.map((order) => (
                <li key={order.number}>
                  <strong>{order.number}</strong> <span>{localTimeToTheSecond(timeOf(order))}</span>{' '}
                  <TransactionLink explorerUrl={explorerUrl} hash={order.transactionHash} />{' '}
                  <span>{shownStatus(order.status)}</span>
                  <p>{sentenceOf(order, token)}</p>
                </li>
              ))}
            </ul>
          </td>
        </tr>
      )}
    </>
  );
}

/** Such as '0.00038 HYPE for 1 CAT on uniswap-v2, 0.00038 HYPE each. Network fee 0.00002 HYPE'. No zeros for what is unknown. */
function sentenceOf(order: ReceiptOrder, { decimals, symbol }: Receipt['token']): string {
  const { tradeWei, tokensBought, exchange, gasWei, status } = order;
  // The price includes the pool's fee.
  const price = averagePrice(BigInt(tradeWei), BigInt(tokensBought), decimals);
  const bought = price === undefined ? '' : ` for ${tokenAmount(tokensBought, decimals)} ${symbol}`;
  const each = price === undefined ? '' : `, ${price} HYPE each`;
  const fee = isPending(status) ? '' : `. Network fee ${hype(gasWei)}`;
  return `${hype(tradeWei)}${bought} on ${exchange}${each}${fee}`;
}
