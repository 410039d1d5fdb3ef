import {
  type Address,
  concat,
  decodeAbiParameters,
  encodeAbiParameters,
  type Hex,
  parseAbiParameters,
  zeroAddress,
} from 'viem';
import type { ChainClient } from '../client.ts';
import { mayGoOtherwise, meaningOf } from '../error-meaning.ts';
import { ChainUnavailableError } from '../errors.ts';
import type { ExchangeKind, VerifiedExchange } from '../exchanges/exchanges.ts';
import type { Pool } from '../pools/exchange-adapter.ts';
import { judgeTrade, type TradeOutcome, type TradeVerdict } from './judge-trade.ts';
import { probeThroughMulticall } from './probe-through-multicall.ts';
import { TRADE_PROBE_CREATION_CODE } from './trade-probe.creation-code.ts';
import { EmptyTrialError, revertReason, type SendTrialCall, type TrialCall } from './trial-call.ts';

const planParameters = parseAbiParameters([
  'Plan plan',
  'struct Plan { uint8 shape; bool routerHasDeadline; bool quoterIsV2; uint24 fee; address router; address quoter; address pool; address wrapped; address token; }',
]);

/** In the order of the contract's `Shape`. */
const SHAPES: readonly ExchangeKind[] = ['uniswap-v2', 'camelot-v2', 'uniswap-v3'];

const outcomeParameters = parseAbiParameters([
  'Outcome outcome',
  'struct Outcome { bool bought; uint256 buyQuoted; uint256 buyReceived; uint256 buyGas; bool sold; uint256 sellQuoted; uint256 sellReceived; bool transferred; uint256 transferSent; uint256 transferReceived; bytes reason; }',
]);

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
  const multicall3 = client.chain.contracts?.multicall3?.address;
  try {
    return judgeTrade(await probeByCreationCode(call, exchange, pool, amountInWei));
  } catch (error) {
    if (!multicall3 || !mayGoOtherwise(meaningOf(error))) throw new ChainUnavailableError('simulate a trade', error);
  }
  try {
    return judgeTrade(await probeThroughMulticall(call, multicall3, { exchange, pool, amountInWei }));
  } catch (error) {
    throw new ChainUnavailableError('simulate a trade without calls that have no recipient', error);
  }
}

async function probeByCreationCode(
  call: SendTrialCall,
  exchange: VerifiedExchange,
  pool: Pool,
  amountInWei: bigint,
): Promise<TradeOutcome> {
  const data = concat([TRADE_PROBE_CREATION_CODE, encodeAbiParameters(planParameters, [planOf(exchange, pool)])]);
  const [outcome] = decodeAbiParameters(outcomeParameters, await call({ data, value: amountInWei }));
  return { ...outcome, reason: revertReason(outcome.reason) };
}

function planOf(exchange: VerifiedExchange, pool: Pool) {
  const isV3 = exchange.kind === 'uniswap-v3';
  return {
    shape: SHAPES.indexOf(exchange.kind),
    routerHasDeadline: isV3 && exchange.routerHasDeadline,
    quoterIsV2: isV3 && exchange.quoterVersion === 2,
    fee: pool.feeTier ?? 0,
    router: exchange.router,
    quoter: isV3 ? exchange.quoter : zeroAddress,
    pool: pool.address,
    wrapped: exchange.wrappedNative,
    token: pool.token,
  };
}

/**
 * The caller must hold what the trial spends. Wrapped HYPE holds all that was ever wrapped; where a node refuses a
 * contract as sender (EIP-3607 is about transactions, not calls), the zero address holds every priority fee burned.
 */
async function callFromFundedAddress(
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
