import {
  type Address,
  concat,
  decodeAbiParameters,
  decodeErrorResult,
  encodeAbiParameters,
  type Hex,
  parseAbiParameters,
  zeroAddress,
} from 'viem';
import type { ChainClient } from '../client.ts';
import { ChainUnavailableError } from '../errors.ts';
import type { ExchangeKind, VerifiedExchange } from '../exchanges/exchanges.ts';
import type { Pool } from '../pools/exchange-adapter.ts';
import { judgeTrade, type TradeOutcome, type TradeVerdict } from './judge-trade.ts';
import { TRADE_PROBE_CREATION_CODE } from './trade-probe.creation-code.ts';

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
 * It needs no state override and no contract of ours on the chain (docs/adr/0002). It cannot see what a token will do
 * later, or does to some addresses only.
 * @param amountInWei what the trial buy spends; an order's own size shows what an order would meet
 * @throws ChainUnavailableError when the endpoint does not answer or cannot run it
 */
export async function probeTrade(
  client: ChainClient,
  exchange: VerifiedExchange,
  pool: Pool,
  amountInWei: bigint,
): Promise<TradeVerdict> {
  const data = concat([TRADE_PROBE_CREATION_CODE, encodeAbiParameters(planParameters, [planOf(exchange, pool)])]);
  const returned = await callFromFundedAddress(client, data, amountInWei, [exchange.wrappedNative, zeroAddress]);
  const [outcome] = decodeAbiParameters(outcomeParameters, returned);
  return judgeTrade({ ...outcome, reason: revertReason(outcome.reason) } satisfies TradeOutcome);
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
  data: Hex,
  value: bigint,
  senders: readonly Address[],
): Promise<Hex> {
  const [sender, ...others] = senders;
  try {
    const { data: returned } = await client.call({ ...(sender && { account: sender }), data, value });
    if (!returned) throw new Error('the node returned nothing for a call without a recipient');
    return returned;
  } catch (error) {
    if (others.length > 0 && isAboutSender(error)) return callFromFundedAddress(client, data, value, others);
    throw new ChainUnavailableError('simulate a trade', error);
  }
}

function isAboutSender(error: unknown): boolean {
  const text = error instanceof Error ? error.message : String(error);
  return /insufficient (funds|balance)|exceeds (transaction sender account )?balance|EIP-?3607|sender.*(not an eoa|deployed code)/i.test(
    text,
  );
}

function revertReason(reason: Hex): string {
  if (reason === '0x') return '';
  try {
    const { args } = decodeErrorResult({ abi: [], data: reason });
    return String(args?.[0] ?? reason);
  } catch {
    return reason;
  }
}
