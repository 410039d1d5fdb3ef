import type { ChainFacts } from '../chain/chain-facts.ts';
import { poolKey, readPurchase } from '../chain/read-purchase.ts';
import type { SignedReceipt } from '../file/receipt-file.ts';
import type { PlacedOrder } from '../prices/compare-prices.ts';
import { type JudgedPrices, type JudgingClient, judgePrices } from '../prices/judge-prices.ts';
import { compareMoments } from '../prices/moments.ts';
import type { PricesProgress } from '../prices/read-pools-of-job.ts';
import { RULEBOOKS, RULES_VERSION } from '../verify/rulebook.ts';

/** Judges the prices of a receipt's filled orders in known pools. @throws as `judgePrices` */
export function judgePricesOf(
  client: JudgingClient,
  receipt: SignedReceipt,
  facts: ChainFacts,
  { blocksPerRequest, progress }: { readonly blocksPerRequest: number; readonly progress?: PricesProgress },
): Promise<JudgedPrices> {
  const { venues } = facts;
  const { minimumLiquidityWei = 0n } = RULEBOOKS.get(receipt.rules.version) ?? RULEBOOKS.get(RULES_VERSION) ?? {};
  const question = { venues, token: receipt.token.address, orders: placedOrders(receipt, facts), blocksPerRequest };
  return judgePrices(client, { ...question, minimumLiquidityWei }, progress);
}

function placedOrders({ orders }: SignedReceipt, { transactions, pools, venues }: ChainFacts): readonly PlacedOrder[] {
  return orders
    .flatMap(({ number, result, transactionHash, receivedTokens }): PlacedOrder[] => {
      const fact = transactions.get(transactionHash);
      const read = fact && result === 'filled' ? readPurchase(fact, venues) : undefined;
      const pool = read?.venue && pools.get(poolKey(read.venue, read.purchase));
      if (!fact || !pool) return [];
      const { blockNumber, transactionIndex, valueWei: tradeWei, gasPriceWei } = fact;
      const place = { blockNumber, transactionIndex };
      return [
        { ...place, number, transactionHash, pool, tradeWei, gasPriceWei, receivedTokens: BigInt(receivedTokens) },
      ];
    })
    .sort(compareMoments);
}
