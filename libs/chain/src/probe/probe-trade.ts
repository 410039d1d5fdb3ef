import {
  type Address,
  concat,
  decodeAbiParameters,
  encodeAbiParameters,
  type Hex,
  pad,
  parseAbiParameters,
  toHex,
  zeroAddress,
} from 'viem';
import type { ChainClient } from '../client.ts';
import { mayGoOtherwise, meaningOf } from '../error-meaning.ts';
import { ChainUnavailableError } from '../errors.ts';
import type { Pool } from '../shapes/exchange-adapter.ts';
import { adapterOf, type VerifiedExchange } from '../shapes/shapes.ts';
import { judgeTrade, type TradeOutcome, type TradeVerdict } from './judge-trade.ts';
import { probeThroughMulticall, type Trade } from './probe-through-multicall.ts';
import { TRADE_PROBE_CREATION_CODE } from './trade-probe.creation-code.ts';
import { EmptyTrialError, NEVER_SECONDS, revertReason, type SendTrialCall, type TrialCall } from './trial-call.ts';

const planParameters = parseAbiParameters([
  'Plan plan',
  'struct Plan { Call[] buyQuotes; Call buy; Call[] sellQuotes; Call sell; address wrapped; address token; bytes32 amountMark; bytes32 traderMark; }',
  'struct Call { address to; bytes data; }',
]);

const outcomeParameters = parseAbiParameters([
  'Outcome outcome',
  'struct Outcome { bool bought; bytes[] buyQuotes; uint256 buyReceived; uint256 buyGas; bool sold; bytes[] sellQuotes; uint256 sellReceived; bool transferred; uint256 transferSent; uint256 transferReceived; bytes reason; }',
]);

/** Placeholders in calls for values known only during the trial: the sold amount and the probe's address. No call has them by chance. */
const AMOUNT_MARK = 0x616d6f756e7420746f2073656c6cn;
const TRADER_MARK: Address = '0x61646472657373206f6620746865206275796572';

/**
 * Simulates a buy, a sale and a transfer of the token in one pool by one `eth_call` that changes nothing, and judges the outcome.
 * It needs no state override and no contract of ours on the chain (docs/adr/0002). If a node refuses calls without a recipient, it uses
 * Multicall3 in two calls (docs/adr/0025). It cannot detect a token's later behaviour, or its behaviour for certain addresses.
 * @param amountInWei amount of the trial buy, wei; an order's size gives an order's result
 * @throws ChainUnavailableError when the endpoint does not answer or cannot run the trial
 */
export async function probeTrade(
  client: ChainClient,
  exchange: VerifiedExchange,
  pool: Pool,
  amountInWei: bigint,
): Promise<TradeVerdict> {
  const call = (request: TrialCall) => callFromFundedAddress(client, request, [exchange.wrappedNative, zeroAddress]);
  const adapter = adapterOf(exchange);
  const trade = { adapter, pool, amountInWei };
  const multicall3 = client.chain.contracts?.multicall3?.address;
  try {
    return judgeTrade(await probeByCreationCode(call, trade), adapter.underpaid);
  } catch (error) {
    if (!multicall3 || !mayGoOtherwise(meaningOf(error))) throw new ChainUnavailableError('simulate a trade', error);
  }
  try {
    return judgeTrade(await probeThroughMulticall(call, multicall3, trade), adapter.underpaid);
  } catch (error) {
    throw new ChainUnavailableError('simulate a trade without calls that have no recipient', error);
  }
}

async function probeByCreationCode(call: SendTrialCall, { adapter, pool, amountInWei }: Trade): Promise<TradeOutcome> {
  const quote = adapter.quoteBuy(pool, amountInWei);
  const deadline = { recipient: TRADER_MARK, deadlineSeconds: NEVER_SECONDS };
  const plan = {
    buyQuotes: quote.calls,
    buy: adapter.buyTransaction({ pool, amountInWei, minimumTokensOut: 0n, ...deadline }),
    sellQuotes: adapter.quoteSale(pool, AMOUNT_MARK).calls,
    sell: adapter.saleCall({ pool, amount: AMOUNT_MARK, ...deadline }),
    wrapped: adapter.exchange.wrappedNative,
    token: pool.token,
    amountMark: toHex(AMOUNT_MARK, { size: 32 }),
    traderMark: pad(TRADER_MARK),
  };
  const data = concat([TRADE_PROBE_CREATION_CODE, encodeAbiParameters(planParameters, [plan])]);
  const [{ buyQuotes, sellQuotes, reason, ...outcome }] = decodeAbiParameters(
    outcomeParameters,
    await call({ data, value: amountInWei }),
  );
  const toSell = outcome.buyReceived - outcome.buyReceived / 2n;
  return {
    ...outcome,
    buyQuoted: quote.decode(buyQuotes) ?? 0n,
    sellQuoted: adapter.quoteSale(pool, toSell).decode(sellQuotes),
    reason: revertReason(reason),
  };
}

/**
 * Makes a call from the first accepted sender that holds the spent amount. Wrapped HYPE's contract holds all wrapped coins. If a node
 * refuses a contract as sender (EIP-3607 covers only transactions), the zero address holds all burned priority fees.
 */
export async function callFromFundedAddress(
  client: ChainClient,
  request: TrialCall,
  senders: readonly Address[],
): Promise<Hex> {
  const [sender, ...others] = senders;
  try {
    const { data: returned } = await client.call({ ...(sender && { account: sender }), ...request });
    if (!returned) throw new EmptyTrialError();
    return returned;
  } catch (error) {
    if (others.length > 0 && isAboutSender(error)) return callFromFundedAddress(client, request, others);
    throw error;
  }
}

function isAboutSender(error: unknown): boolean {
  const text = error instanceof Error ? error.message : String(error);
  return /insufficient (funds|balance)|exceeds (transaction sender account )?balance|EIP-?3607|sender.*(not an eoa|deployed code)/i.test(
    text,
  );
}
