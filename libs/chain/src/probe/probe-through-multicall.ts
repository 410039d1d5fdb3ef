import {
  type Address,
  concat,
  encodeFunctionData,
  getAddress,
  type Hex,
  hexToBigInt,
  keccak256,
  parseAbi,
  size,
  slice,
  stringToHex,
} from 'viem';
import { erc20Abi } from '../abi/erc20.ts';
import { multicall3Abi } from '../abi/multicall3.ts';
import { ChainUnavailableError } from '../errors.ts';
import type { Call } from '../query.ts';
import type { ExchangeAdapter, Pool } from '../shapes/exchange-adapter.ts';
import type { TradeOutcome } from './judge-trade.ts';
import {
  NEVER_SECONDS,
  revertReason,
  runSteps,
  type SendTrialCall,
  type TrialStep,
  type TrialStepResult,
} from './trial-call.ts';

/** A trade to simulate. */
export interface Trade {
  readonly adapter: ExchangeAdapter;
  readonly pool: Pool;
  /** Amount of the trial buy, wei. */
  readonly amountInWei: bigint;
}

/** Attempts while the price moves between two calls. */
const TRIES = 3;

const approveAbi = parseAbi(['function approve(address spender, uint256 amount) returns (bool)']);

/**
 * Makes the trial for nodes that refuse calls without a recipient: Multicall3 buys, sells and sends. The sale's amount must be known
 * before encoding. So a first call only buys; a second buys again, sells half and sends the rest. The token sees a contract, but an order
 * comes from a wallet: a token for wallets only is refused. The buy's gas is not measured, but typical for the shape.
 * @throws the call's error, ChainUnavailableError where the price keeps moving
 */
export async function probeThroughMulticall(
  send: SendTrialCall,
  multicall3: Address,
  trade: Trade,
): Promise<TradeOutcome> {
  const run = (steps: readonly TrialStep[]) => runSteps(send, multicall3, steps);
  const first = await buyAlone(run, multicall3, trade);
  if (!first.bought || first.buyReceived === 0n) return first;
  let outcome = first;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const tried = await buySellAndSend(run, multicall3, trade, outcome);
    if (tried.buyReceived >= outcome.buyReceived) return { ...tried, buyReceived: outcome.buyReceived };
    // The price rose between the calls: the second buy brought less than the amount to sell.
    outcome = { ...outcome, buyReceived: tried.buyReceived };
  }
  throw new ChainUnavailableError('simulate a trade', 'the price moved on each time');
}

type Run = (steps: readonly TrialStep[]) => Promise<readonly TrialStepResult[]>;

function buySteps(multicall3: Address, { adapter, pool, amountInWei }: Trade): readonly TrialStep[] {
  const order = { pool, amountInWei, minimumTokensOut: 0n, recipient: multicall3, deadlineSeconds: NEVER_SECONDS };
  const { to, data, value } = adapter.buyTransaction(order);
  return [balanceOf(pool.token, multicall3), { to, data, value }, balanceOf(pool.token, multicall3)];
}

async function buyAlone(run: Run, multicall3: Address, trade: Trade): Promise<TradeOutcome> {
  const { adapter } = trade;
  const quote = adapter.quoteBuy(trade.pool, trade.amountInWei);
  const results = await run([...quote.calls, ...buySteps(multicall3, trade)]);
  const [before, buy, after] = results.slice(quote.calls.length);
  const bought = buy?.success ?? false;
  return {
    ...NOTHING,
    bought,
    buyQuoted: quote.decode(results.slice(0, quote.calls.length).map(returnedBy)) ?? 0n,
    buyReceived: amountIn(after) - amountIn(before),
    buyGas: adapter.typicalGas,
    reason: bought ? '' : reasonOf(buy),
  };
}

async function buySellAndSend(run: Run, multicall3: Address, trade: Trade, known: TradeOutcome): Promise<TradeOutcome> {
  const { adapter, pool } = trade;
  const { token } = pool;
  const transferSent = known.buyReceived / 2n;
  const toSell = known.buyReceived - transferSent;
  const fresh = freshAddress(token);
  const quote = adapter.quoteSale(pool, toSell);
  const sale = adapter.saleCall({ pool, amount: toSell, recipient: fresh, deadlineSeconds: NEVER_SECONDS });
  const money = [
    balanceOf(adapter.exchange.wrappedNative, fresh),
    { to: multicall3, data: encodeFunctionData({ abi: multicall3Abi, functionName: 'getEthBalance', args: [fresh] }) },
  ];
  const approval = encodeFunctionData({ abi: approveAbi, functionName: 'approve', args: [sale.to, toSell] });
  const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [fresh, transferSent] });
  const buying = buySteps(multicall3, trade);
  const results = await run([
    ...buying,
    ...quote.calls,
    { to: token, data: approval },
    ...money,
    sale,
    ...money,
    balanceOf(token, fresh),
    { to: token, data: transfer },
    balanceOf(token, fresh),
  ]);
  const [before, , after] = results;
  const quoted = results.slice(buying.length, buying.length + quote.calls.length);
  const [, wrappedBefore, nativeBefore, saleResult, wrappedAfter, nativeAfter, held, sent, holds] = results.slice(
    buying.length + quote.calls.length,
  );
  const sold = saleResult?.success ?? false;
  const transferred = isTaken(sent);
  return {
    ...known,
    buyReceived: amountIn(after) - amountIn(before),
    sold,
    sellQuoted: quote.decode(quoted.map(returnedBy)),
    sellReceived: amountIn(wrappedAfter) + amountIn(nativeAfter) - amountIn(wrappedBefore) - amountIn(nativeBefore),
    transferred,
    transferSent,
    transferReceived: amountIn(holds) - amountIn(held),
    reason: sold ? (transferred ? '' : reasonOf(sent)) : reasonOf(saleResult),
  };
}

const NOTHING: TradeOutcome = {
  bought: false,
  buyQuoted: 0n,
  buyReceived: 0n,
  buyGas: 0n,
  sold: false,
  sellQuoted: 0n,
  sellReceived: 0n,
  transferred: false,
  transferSent: 0n,
  transferReceived: 0n,
  reason: '',
};

function balanceOf(token: Address, owner: Address): Call {
  return { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] }) };
}

function returnedBy({ success, returnData }: TrialStepResult): Hex | undefined {
  return success ? returnData : undefined;
}

function amountIn(result: TrialStepResult | undefined): bigint {
  return result?.success && size(result.returnData) >= 32 ? hexToBigInt(slice(result.returnData, 0, 32)) : 0n;
}

/** Whether a transfer succeeded: a token may also refuse by returning false. */
function isTaken(result: TrialStepResult | undefined): boolean {
  return (result?.success ?? false) && (size(result?.returnData ?? '0x') < 32 || amountIn(result) !== 0n);
}

function reasonOf(result: TrialStepResult | undefined): string {
  return result && !result.success ? revertReason(result.returnData) : '';
}

/** The unowned address that receives the proceeds of the sale and the transferred tokens. */
function freshAddress(token: Address): Address {
  return getAddress(slice(keccak256(concat([token, stringToHex('trial')])), 12));
}
