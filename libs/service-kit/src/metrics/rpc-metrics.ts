import type { Counter, Histogram, Registry } from 'prom-client';
import { recordCall } from '../tracing/tracing.ts';
import { declareCounter, declareHistogram, OTHER, oneOf } from './declare-metric.ts';

/** JSON-RPC methods that the services use. */
const METHODS = [
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_estimateGas',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'eth_getCode',
  'eth_getLogs',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_sendRawTransaction',
  OTHER,
] as const;

const OUTCOMES = ['ok', 'reverted', 'rate_limited', 'timeout', 'error'] as const;

/** Position in the configured list of endpoints, from 1. Never the URL, which may hold a key. */
const POSITIONS = ['1', '2', '3', '4', '5', '6', '7', '8', OTHER] as const;

/** How a request to an RPC endpoint ended. */
export type RpcOutcome = (typeof OUTCOMES)[number];

/** Requests to the chain's RPC endpoints, counted and traced; the same names in every service that reads the chain. */
export class RpcMetrics {
  private readonly requests: Counter<'method' | 'outcome'>;
  private readonly durations: Histogram<'method'>;
  private readonly byEndpoint: Counter<'position' | 'outcome'>;

  constructor(registry: Registry) {
    this.requests = declareCounter(registry, {
      name: 'maker_rpc_requests_total',
      help: 'Requests to RPC endpoints by method and how they ended. A reverted call is an answer, not a fault.',
      labels: { method: METHODS, outcome: OUTCOMES },
      initial: [],
    });
    this.durations = declareHistogram(registry, {
      name: 'maker_rpc_request_duration_seconds',
      help: 'Time of a request to an RPC endpoint, whatever its end.',
      labels: { method: METHODS },
      initial: [],
      buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    });
    this.byEndpoint = declareCounter(registry, {
      name: 'maker_rpc_endpoint_requests_total',
      help: 'Requests by the position of the endpoint in CHAIN_RPC_URLS: any but 1 is failover.',
      labels: { position: POSITIONS, outcome: OUTCOMES },
      initial: OUTCOMES.map((outcome) => ({ position: '1' as const, outcome })),
    });
  }

  /** One attempt at one endpoint. @param ms time it took @param endpoint index in the list, from 0 */
  requested(method: string, outcome: RpcOutcome, ms: number, endpoint: number): void {
    const known = oneOf(METHODS, method);
    // The first request of a method makes all its series, so that its first failure is a rise from 0.
    for (const each of OUTCOMES) this.requests.inc({ method: known, outcome: each }, each === outcome ? 1 : 0);
    this.durations.observe({ method: known }, ms / 1000);
    this.byEndpoint.inc({ position: oneOf(POSITIONS, String(endpoint + 1)), outcome });
    recordCall(method, ms, { 'rpc.system': 'jsonrpc', 'rpc.method': method, 'maker.rpc.outcome': outcome });
  }
}
