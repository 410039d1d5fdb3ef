import { connectChain, query, readMarketFacts, tokenMetadata } from '@maker/chain';
import {
  BLOCK_SHARE_BPS,
  DEFAULT_PLAN_LIMITS,
  InvalidAmountError,
  MAXIMUM_PAYMENT_WEI,
  MINIMUM_LIQUIDITY_WEI,
  NO_PACE,
  parseAddress,
  parseHype,
  planJob,
  splitDeposit,
  wholeCapacity,
} from '@maker/rules';
import { createPublicClient, http } from 'viem';
import { CommandError, readOptions, UsageError } from '../command-error.ts';
import { planText } from './plan-text.ts';

/** HyperEVM's public endpoint. */
const PUBLIC_RPC = 'https://rpc.hyperliquid.xyz/evm';

/** The product's defaults: requests of an order, and requests per minute that an endpoint leaves for orders. */
const REQUESTS_PER_ORDER = 3n;
const REQUESTS_PER_MINUTE = 40n;

export const SIMULATE_USAGE = `npm run simulate -- --token ADDRESS --amount HYPE [--rpc URL] [--exchanges FILE]

Prints the plan of a job that starts now, with the product's defaults. It sends nothing.
  --rpc        an endpoint; ${PUBLIC_RPC} by default
  --exchanges  a list of exchanges as JSON, for networks without a built-in list`;

const OPTIONS = ['token', 'amount', 'rpc', 'exchanges'] as const;

export class SimulationError extends CommandError {
  readonly code = 'SIMULATION';
}

/**
 * Simulates a job on a chain, with the readers and the planning function of the product. @returns the text to print
 * @throws UsageError, SimulationError
 */
export async function simulateJob(args: readonly string[]): Promise<string> {
  const { token, depositWei, rpcUrl, exchangesFile } = readRequest(args);
  const chainId = await createPublicClient({ transport: http(rpcUrl) })
    .getChainId()
    .catch(() => {
      throw new SimulationError(`${new URL(rpcUrl).host} does not answer`);
    });
  const chain = await connectChain({
    CHAIN_ID: chainId,
    CHAIN_RPC_URLS: [rpcUrl],
    CHAIN_RPC_REQUESTS_PER_MINUTE: [],
    CHAIN_CONFIRMATIONS: 1,
    ...(exchangesFile !== undefined && { CHAIN_EXCHANGES_FILE: exchangesFile }),
  });
  try {
    const metadata = await query(chain.client, tokenMetadata(token));
    if (!metadata) throw new SimulationError(`${token} is not an ERC-20 token on ${chain.network.name}`);
    const facts = await readMarketFacts(chain, token, {
      minimumLiquidityWei: MINIMUM_LIQUIDITY_WEI,
      budgetWei: splitDeposit(MAXIMUM_PAYMENT_WEI).orderBudgetWei,
    });
    const { block, blockTimeMs, deliveryGas, pools } = facts;
    const capacity = { blockGas: block.gasLimit, blockTimeMs, shareBps: BLOCK_SHARE_BPS };
    const plan = planJob({
      depositWei,
      startAtMs: block.timestampMs,
      pools,
      gasPriceWei: facts.gasPriceWei,
      deliveryGas,
      capacity: {
        whole: wholeCapacity({ ...capacity, requestsPerMinute: REQUESTS_PER_MINUTE }),
        booked: NO_PACE,
        requestsPerOrder: REQUESTS_PER_ORDER,
      },
      limits: DEFAULT_PLAN_LIMITS,
    });
    return planText({ depositWei, token: metadata, plan, facts, limits: DEFAULT_PLAN_LIMITS });
  } finally {
    chain.stop();
  }
}

function readRequest(args: readonly string[]) {
  const { token, amount, rpc, exchanges } = readOptions(args, OPTIONS, SIMULATE_USAGE).values;
  if (!token || !amount) throw new UsageError(SIMULATE_USAGE);
  const parsed = parseAddress(token);
  if (!parsed.ok) throw new SimulationError(`--token ${token}: ${parsed.problem}`);
  if (rpc !== undefined && !URL.canParse(rpc)) throw new SimulationError('--rpc: is no URL');
  return {
    token: parsed.address,
    depositWei: readAmount(amount),
    rpcUrl: rpc ?? PUBLIC_RPC,
    exchangesFile: exchanges,
  };
}

function readAmount(text: string): bigint {
  try {
    return parseHype(text);
  } catch (error) {
    if (error instanceof InvalidAmountError) throw new SimulationError(`--amount: ${error.message}`);
    throw error;
  }
}
