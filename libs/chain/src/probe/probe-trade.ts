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

/** Stand in calls for what is known during the trial alone: how much is sold, and where the probe is. No call holds them by chance. */
const AMOUNT_MARK = 0x616d6f756e7420746f2073656c6cn;
const TRADER_MARK: Address = '0x61646472657373206f6620746865206275796572';

/**
 * Buys, sells and sends the token in one pool, in one `eth_call` that changes nothing, and judges what happened.
 * It needs no state override and no contract of ours on the chain (docs/adr/0002); where calls without a recipient are refused it goes
 * through Multicall3, in two (docs/adr/0025). It cannot see what a token will do later, or does to some addresses only.
 * @param amountInWei what the trial buy spends; an order's own size shows what an order would meet
 * @throws ChainUnavailableError when the endpoint does not answer or cannot run it
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
 * The caller must hold what the trial spends. Wrapped HYPE holds all that was ever wrapped; where a node refuses a
 * contract as sender (EIP-3607 is about transactions, not calls), the zero address holds every priority fee burned.
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
