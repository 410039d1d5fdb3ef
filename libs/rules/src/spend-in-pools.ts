import { ascending, larger, smaller } from './amounts.ts';
import { curveEnd, orderPrice, type PoolCurve, tokensAt, wholeTokens } from './pool-curve.ts';

/** Steps of the simulated spending; a real job buys in finer steps with the same result. */
const STEPS = 128n;

export interface Spending {
  /** Total to spend, wei. */
  readonly targetWei: bigint;
  /** Amount of one order, wei. */
  readonly orderWei: bigint;
  /** Base plus priority fee, wei per gas. */
  readonly gasPriceWei: bigint;
  /** Highest price of an order, X96. */
  readonly highestPriceX96: bigint;
}

export interface Spent {
  /** Amount that the pools took, wei: the target, or less if the price rose above the highest. */
  readonly spentWei: bigint;
  /** Smallest units bought. */
  readonly tokens: bigint;
  /** Price of the last order including the pool fee, X96; undefined if nothing was bought. */
  readonly lastPriceX96: bigint | undefined;
}

/**
 * Simulates the spending of a budget in many orders, each in the pool with the most tokens per total cost including gas. It assumes
 * no other traders: prices stay where the orders move them. Source: design § 4a.
 */
export function spendInPools(curves: readonly PoolCurve[], spending: Spending): Spent {
  const { targetWei, orderWei } = spending;
  const spentIn = new Map<PoolCurve, bigint>(curves.map((curve) => [curve, 0n]));
  let step = larger(targetWei / STEPS, orderWei);
  let leftWei = targetWei;
  let lastPriceX96: bigint | undefined;
  while (leftWei > 0n) {
    const amount = smaller(step, leftWei);
    const best = cheapestPool(spentIn, amount, spending);
    if (best) {
      spentIn.set(best.curve, (spentIn.get(best.curve) ?? 0n) + amount);
      leftWei -= amount;
      lastPriceX96 = best.priceX96;
    } else if (amount <= orderWei) break;
    else step = larger(amount / 2n, orderWei);
  }
  const bought = [...spentIn].reduce((sum, [curve, spent]) => sum + tokensAt(curve, spent), 0n);
  return { spentWei: targetWei - leftWei, tokens: wholeTokens(bought), lastPriceX96 };
}

/** Usual gas of an order: a wallet's first one also writes its balance of the token. */
export function usualGas(
  { orderGas, laterGas }: Pick<PoolCurve, 'orderGas' | 'laterGas'>,
  holdsToken: boolean,
): bigint {
  return holdsToken ? laterGas : orderGas;
}

/**
 * Ranks offers by tokens per HYPE of total cost, gas included, the best first. Leaves out offers without tokens.
 * Source: design § 4a.
 * @param tradeWei amount of the order @param gasPriceWei wei per gas
 */
export function rankedAfterGas<T extends { readonly tokens: bigint; readonly gas: bigint }>(
  offers: readonly T[],
  tradeWei: bigint,
  gasPriceWei: bigint,
): readonly T[] {
  const costWei = ({ gas }: T) => tradeWei + gas * gasPriceWei;
  return offers
    .filter(({ tokens }) => tokens > 0n)
    .sort((one, other) => ascending(other.tokens * costWei(one), one.tokens * costWei(other)));
}

/**
 * Tokens from one swap of the whole amount in the pool that gives most.
 * @returns smallest units; undefined where no pool's quotes cover the amount
 */
export function tokensOfSingleSwap(curves: readonly PoolCurve[], inWei: bigint): bigint | undefined {
  const offers = curves.filter((curve) => inWei <= curveEnd(curve)).map((curve) => wholeTokens(tokensAt(curve, inWei)));
  return offers.reduce<bigint | undefined>(
    (most, tokens) => (most === undefined || tokens > most ? tokens : most),
    undefined,
  );
}

/** The cheapest of the pools that can take `amount` with its last order within the highest price. */
function cheapestPool(
  spentIn: ReadonlyMap<PoolCurve, bigint>,
  amount: bigint,
  { orderWei, gasPriceWei, highestPriceX96 }: Spending,
): { curve: PoolCurve; priceX96: bigint } | undefined {
  const trade = smaller(amount, orderWei);
  const offers = [...spentIn].flatMap(([curve, spent]) => {
    if (spent + amount > curveEnd(curve)) return [];
    const priceX96 = orderPrice(curve, spent + amount - trade, trade);
    if (priceX96 === undefined || priceX96 > highestPriceX96) return [];
    const tokens = tokensAt(curve, spent + trade) - tokensAt(curve, spent);
    return [{ curve, priceX96, tokens, gas: usualGas(curve, true) }];
  });
  return rankedAfterGas(offers, trade, gasPriceWei)[0];
}
