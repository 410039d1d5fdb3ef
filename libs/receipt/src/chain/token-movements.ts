import type { Purchase, PurchaseProof } from '@maker/chain/venues';
import { type Address, decodeFunctionData, type Hex, parseAbi, parseEventLogs } from 'viem';
import { lower } from '../file/lower.ts';
import type { LogFact } from './chain-facts.ts';

const transferAbi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'function transfer(address to, uint256 amount) returns (bool)',
]);

/** Reads the call that sends tokens. Address in lower case. @returns undefined for any other call */
export function readTokenTransfer(input: Hex): { readonly to: Address; readonly amount: bigint } | undefined {
  try {
    const [to, amount] = decodeFunctionData({ abi: transferAbi, data: input }).args;
    return { to: lower(to), amount };
  } catch {
    // viem throws for a call that is not in the ABI.
    return undefined;
  }
}

/** One movement of a token. Addresses in lower case. */
export interface Movement {
  readonly from: Address;
  readonly to: Address;
  readonly amount: bigint;
}

/** Movements of a token in a transaction, by the token's own events. */
export function movementsOf(logs: readonly LogFact[], token: Address): readonly Movement[] {
  const own = logs.filter(({ address }) => address === token.toLowerCase());
  return parseEventLogs({ abi: transferAbi, logs: own as never }).map(({ args }) => ({
    from: lower(args.from),
    to: lower(args.to),
    amount: args.value,
  }));
}

/** A purchase, by the event of its pool. */
export interface PoolSale {
  /** In lower case. */
  readonly pool: Address;
  readonly paidWei: bigint;
  readonly sold: bigint;
}

/** Purchases in a transaction, by contracts' events in the format of one shape of exchange. */
export function salesIn(
  logs: readonly LogFact[],
  proof: PurchaseProof,
  { tokenIn, tokenOut }: Pick<Purchase, 'tokenIn' | 'tokenOut'>,
): readonly PoolSale[] {
  const paysFirst = BigInt(tokenIn) < BigInt(tokenOut);
  return proof.tradesIn(logs).map(({ pool, amount0In, amount1In, amount0Out, amount1Out }) => ({
    pool: lower(pool),
    paidWei: paysFirst ? amount0In : amount1In,
    sold: paysFirst ? amount1Out : amount0Out,
  }));
}
