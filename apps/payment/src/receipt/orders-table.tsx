import type { Receipt, ReceiptOrder } from '@maker/contracts';
import { Button } from '@maker/ui';
import { useState, useSyncExternalStore } from 'react';
import { averagePrice, hype, tokenAmount } from '../amounts.ts';
import { TransactionLink } from '../explorer-link.tsx';
import { localTimeToTheSecond } from '../local-time.ts';
import * as styles from './orders-table.module.css';
import { isPending, shownStatus } from './shown-status.ts';

const COLUMNS = ['Order', 'Time', 'Transaction', 'Spent', 'Bought', 'Price', 'Exchange', 'Network fee', 'Status'];
const SHOWN_AT_FIRST = 10;
const SHOWN_MORE = 100;

interface OrdersTableProps {
  readonly orders: readonly ReceiptOrder[];
  readonly token: Receipt['token'];
  readonly explorerUrl: string;
}

/** Every order with its transaction, the newest first. */
export function OrdersTable({ orders, token, explorerUrl }: OrdersTableProps) {
  const [shown, setShown] = useState(SHOWN_AT_FIRST);
  // An external store renders synchronously, before the browser prints; the button that shows more does not work on paper.
  const isOnPaper = useSyncExternalStore(
    watchPrinting,
    () => isPrinting,
    () => false,
  );
  const newest = orders.slice(isOnPaper ? 0 : -shown).reverse();
  const hidden = orders.length - newest.length;
  return (
    <div className={styles.orders}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a narrow screen scrolls the table, and so must a keyboard */}
      <section className={styles.scroller} aria-label="Orders" tabIndex={0}>
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
            {newest.map((order) => (
              <tr key={order.number}>
                <th scope="row">{order.number}</th>
                <td>{localTimeToTheSecond(order.minedAt ?? order.placedAt)}</td>
                <td>
                  <TransactionLink explorerUrl={explorerUrl} hash={order.transactionHash} />
                </td>
                <td>{hype(order.tradeWei)}</td>
                <td>
                  {isPending(order.status) ? '–' : `${tokenAmount(order.tokensBought, token.decimals)} ${token.symbol}`}
                </td>
                <td>{priceOf(order, token)}</td>
                <td>{order.exchange}</td>
                <td>{isPending(order.status) ? '–' : hype(order.gasWei)}</td>
                <td>{shownStatus(order.status)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {hidden > 0 && (
        <Button variant="quiet" onClick={() => setShown(shown + SHOWN_MORE)}>
          {`Show ${Math.min(hidden, SHOWN_MORE)} more of ${orders.length} orders`}
        </Button>
      )}
    </div>
  );
}

let isPrinting = false;

/** Calls `onChange` when the browser begins and ends to print the page. */
function watchPrinting(onChange: () => void): () => void {
  const turn = ({ type }: Event) => {
    isPrinting = type === 'beforeprint';
    onChange();
  };
  addEventListener('beforeprint', turn);
  addEventListener('afterprint', turn);
  return () => {
    removeEventListener('beforeprint', turn);
    removeEventListener('afterprint', turn);
  };
}

/** Price in HYPE for one token, including the pool's fee; a dash for an order that bought nothing. */
function priceOf({ tradeWei, tokensBought }: ReceiptOrder, { decimals }: Receipt['token']): string {
  const price = averagePrice(BigInt(tradeWei), BigInt(tokensBought), decimals);
  return price === undefined ? '–' : `${price} HYPE`;
}
