import { connectChain, query, readMarketFacts, tokenMetadata } from '@maker/chain';
import {
  BLOCK_SHARE_BPS,
  DEFAULT_PLAN_LIMITS,
  InvalidAmountError,
  MAXIMUM_PAYMENT_WEI,
  MINIMUM_LIQUIDITY_WEI,
  NO_PACE,
  parseHype,
  planJob,
  splitDeposit,
  wholeCapacity,
} from '@maker/rules';
import { createPublicClient, http } from 'viem';
import { readAddress } from '../address-option.ts';
import { CommandError, UsageError } from '../command-error.ts';
import type { Printed } from '../output.ts';
import { planText } from './plan-text.ts';

/** The product's defaults: requests of an order, and requests per minute that an endpoint leaves for orders. */
const REQUESTS_PER_ORDER = 3n;
const REQUESTS_PER_MINUTE = 40n;

/** Options of `simulate`. */
export interface SimulateOptions {
  readonly token: string;
  /** HYPE. */
  readonly amount: string;
  readonly rpc: string;
  /** File with a list of exchanges as JSON, for networks without a built-in list. */
  readonly exchanges?: string;
}

export class SimulationError extends CommandError {
  readonly code = 'SIMULATION';
}

/**
 * Simulates a job on a chain, with the readers and the planning function of the product.
 * @returns the plan of a job that starts now @throws UsageError @throws SimulationError
 */
export async function simulateJob(options: SimulateOptions): Promise<Printed> {
  const { rpc: rpcUrl, exchanges: exchangesFile } = options;
  const token = readAddress('--token', options.token);
  const depositWei = readAmount(options.amount);
  if (!URL.canParse(rpcUrl)) throw new UsageError('--rpc: is no URL');
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
    const simulation = { depositWei, token: metadata, plan, facts, limits: DEFAULT_PLAN_LIMITS };
    return { text: planText(simulation), json: simulation };
  } finally {
    chain.stop();
  }
}

function readAmount(text: string): bigint {
  try {
    return parseHype(text);
  } catch (error) {
    if (error instanceof InvalidAmountError) throw new UsageError(`--amount: ${error.message}`);
    throw error;
  }
}
