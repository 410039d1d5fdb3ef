import type { Exchange } from '@maker/chain/venues';
import { type Address, type Hash, type PublicClient, TransactionNotFoundError } from 'viem';
import { lower } from '../file/lower.ts';
import { type ComparedOrder, comparePrices, type PlacedOrder, type PriceRules } from './compare-prices.ts';
import { type PricesClient, type PricesProgress, readPoolsOfJob } from './read-pools-of-job.ts';
import type { TurnAround } from './turn-arounds.ts';

export type JudgingClient = PricesClient & Pick<PublicClient, 'getTransaction'>;

/** Trades of one account around an order. */
export interface OwnedTurnAround extends TurnAround {
  /** The account, or the contract of both calls. In lower case. */
  readonly account: Address;
}

/** An order beside the best pool for it, with the accounts that traded around it. */
export interface JudgedOrder extends Omit<ComparedOrder, 'turnArounds'> {
  readonly turnArounds: readonly OwnedTurnAround[];
}

/** The check of all orders against the pools of the pair. */
export interface JudgedPrices {
  readonly orders: readonly JudgedOrder[];
  /** Numbers of orders for which the state of a pool is not known. */
  readonly incomplete: readonly number[];
}

/** The orders of a job and the pools that count. */
export interface PricesQuestion extends PriceRules {
  readonly venues: readonly Exchange[];
  readonly token: Address;
  /** Filled orders in the order of the chain. */
  readonly orders: readonly PlacedOrder[];
  readonly blocksPerRequest: number;
}

/**
 * Reads the pools of the pair and compares each order with them.
 * @throws the client's error if the endpoint does not answer; PoolsUnsettledError
 */
export async function judgePrices(
  client: JudgingClient,
  { orders, ...question }: PricesQuestion,
  progress?: PricesProgress,
): Promise<JudgedPrices> {
  const [first, ...rest] = orders;
  if (!first) return { orders: [], incomplete: [] };
  const pools = await readPoolsOfJob(client, { ...question, orders: [first, ...rest] }, progress);
  const compared = comparePrices(pools, orders, question);
  const routers = new Set(question.venues.map(({ router }) => router.toLowerCase()));
  const judged: JudgedOrder[] = [];
  for (const order of compared.orders) {
    const turnArounds: OwnedTurnAround[] = [];
    for (const one of order.turnArounds) {
      const account = await accountOf(client, one, routers);
      if (account) turnArounds.push({ ...one, account });
    }
    judged.push({ ...order, turnArounds });
  }
  return { orders: judged, incomplete: compared.incomplete };
}

/** The common account of two trades: their sender, or a contract that both called. Anyone calls the exchanges' routers. */
async function accountOf(client: JudgingClient, { purchase, sale }: TurnAround, routers: ReadonlySet<string>) {
  const [one, other] = [await partiesOf(client, purchase), await partiesOf(client, sale)];
  if (!one || !other) return undefined;
  if (one.from === other.from) return one.from;
  return one.to !== null && one.to === other.to && !routers.has(one.to) ? one.to : undefined;
}

async function partiesOf(client: JudgingClient, hash: Hash) {
  try {
    const { from, to } = await client.getTransaction({ hash });
    return { from: lower(from), to: to === null ? null : lower(to) };
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return undefined;
    throw error;
  }
}
