import type { Receipt } from '@maker/contracts';
import { formatJobEstimate } from '@maker/rules';
import { Stat, Stats } from '@maker/ui';
import { averagePrice, hype, tokenAmount } from '../amounts.ts';
import { localTime, localTimeToTheSecond } from '../local-time.ts';

interface ReceiptStatsProps {
  readonly receipt: Receipt;
}

/** The figures of a receipt that change during trading. */
export function ReceiptStats({ receipt }: ReceiptStatsProps) {
  const { token, tradedWei, tokensBought, nextOrderAt, intervalSeconds, paused } = receipt;
  const price = averagePrice(BigInt(tradedWei), BigInt(tokensBought), token.decimals);
  return (
    <Stats>
      <Stat
        label="Orders placed"
        value={receipt.ordersPlaced.toLocaleString('en-US')}
        detail={`of ${formatJobEstimate(receipt.estimate)} estimated`}
      />
      <Stat label="Spent" value={hype(tradedWei, 4)} detail={`plus ${hype(receipt.gasWei)} network fees`} />
      <Stat
        label="Tokens bought"
        value={`${tokenAmount(tokensBought, token.decimals)} ${token.symbol}`}
        detail={price === undefined ? 'none yet' : `at ${price} HYPE on average`}
      />
      {receipt.ending ? (
        <Stat
          label="Returned"
          value={hype(receipt.returnedWei, 4)}
          detail={`of ${hype(receipt.depositWei)} received`}
        />
      ) : nextOrderAt ? (
        <Stat
          label="Next order at"
          value={<time dateTime={nextOrderAt}>{localTimeToTheSecond(nextOrderAt)}</time>}
          detail={`one order every ${Number(intervalSeconds.toFixed(2))} s`}
        />
      ) : (
        <Stat
          label="Next order"
          value={paused ? 'Paused' : 'Soon'}
          detail={paused && `since ${localTime(paused.since)}`}
        />
      )}
    </Stats>
  );
}
