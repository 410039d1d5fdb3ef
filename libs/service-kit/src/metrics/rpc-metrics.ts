import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { recordCall } from '../tracing/tracing.ts';
import { counter, declareMetrics, gauge, histogram, OTHER, oneOf } from './declare-metric.ts';

/** JSON-RPC methods that the services use: those of `RPC_METHODS` in @maker/chain. */
const METHODS = [
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'eth_getCode',
  'eth_getSystemTxsByBlockNumber',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_sendRawTransaction',
  OTHER,
] as const;

const OUTCOMES = ['ok', 'reverted', 'refused', 'rate_limited', 'timeout', 'error'] as const;

/** Position in the configured list of endpoints, from 1. Never the URL, which may hold a key. */
const POSITIONS = ['1', '2', '3', '4', '5', '6', '7', '8', OTHER] as const;

/** States of an endpoint. The client prefers endpoints that are serving. */
const STATES = ['unchecked', 'serving', 'resting', 'failing', 'stale', 'lagging', 'forked', 'wrong_chain'] as const;

/** Whether a request that waited for the rate limit was sent. */
const WAIT_ENDS = ['sent', 'given_up'] as const;

/** State of an RPC endpoint. */
export type RpcEndpointState = (typeof STATES)[number];

/** Log level of a change to each state: errors need the operator. */
const LEVELS: Readonly<Record<RpcEndpointState, 'error' | 'warn' | 'info' | 'debug'>> = {
  wrong_chain: 'error',
  forked: 'error',
  lagging: 'warn',
  stale: 'warn',
  failing: 'warn',
  resting: 'debug',
  serving: 'info',
  unchecked: 'debug',
};

/** Receives the events of a chain client; positions count from 0. */
export interface RpcObserver {
  onRequest(method: string, outcome: RpcOutcome, ms: number, position: number): void;
  onEndpointState(position: number, state: RpcEndpointState, origin: string): void;
  onWait(ms: number, sent: boolean): void;
}

/** How a request to an RPC endpoint ended. */
export type RpcOutcome = (typeof OUTCOMES)[number];

const positionOf = (endpoint: number) => oneOf(POSITIONS, String(endpoint + 1));

/** Counts and traces requests to the chain's RPC endpoints, under the same names in every service that reads the chain. */
export class RpcMetrics {
  private readonly metrics;

  constructor(registry: Registry) {
    this.metrics = declareMetrics(registry, {
      maker_rpc_requests_total: counter(
        'Requests to RPC endpoints by method and outcome. A reverted call and a refusal by rule are answers, not faults.',
        { method: METHODS, outcome: OUTCOMES },
        [],
      ),
      maker_rpc_request_duration_seconds: histogram(
        'Time of a request to an RPC endpoint, successful or not.',
        [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
        { method: METHODS },
        [],
      ),
      maker_rpc_endpoint_requests_total: counter(
        'Requests by the position of the endpoint in CHAIN_RPC_URLS: any other than 1 is failover.',
        { position: POSITIONS, outcome: OUTCOMES },
        OUTCOMES.map((outcome) => ({ position: '1' as const, outcome })),
      ),
      maker_rpc_endpoint_state: gauge(
        '1 for the state of each endpoint by its position in CHAIN_RPC_URLS. Forked, lagging, stale and wrong_chain ones are not read.',
        { position: POSITIONS, state: STATES },
      ),
      maker_rpc_wait_seconds: histogram(
        'Time that requests waited for the rate limit of an endpoint, by whether they were sent.',
        [0.1, 0.5, 1, 2.5, 5, 10],
        { end: WAIT_ENDS },
      ),
    });
  }

  /** Counts and logs the events of a chain client. */
  observer(logger: Logger): RpcObserver {
    return {
      onRequest: (method, outcome, ms, position) => this.requested(method, outcome, ms, position),
      onEndpointState: (position, state, origin) => {
        const label = positionOf(position);
        for (const each of STATES)
          this.metrics.maker_rpc_endpoint_state.set({ position: label, state: each }, each === state ? 1 : 0);
        logger[LEVELS[state]]({ endpoint: position + 1, origin, state }, 'RPC endpoint state changed');
      },
      onWait: (ms, sent) => this.metrics.maker_rpc_wait_seconds.observe({ end: sent ? 'sent' : 'given_up' }, ms / 1000),
    };
  }

  /** Counts one attempt at one endpoint. @param ms time it took @param endpoint index in the list, from 0 */
  requested(method: string, outcome: RpcOutcome, ms: number, endpoint: number): void {
    const { maker_rpc_requests_total: requests } = this.metrics;
    const known = oneOf(METHODS, method);
    // The first request of a method creates all its series, so that its first failure is an increase from 0.
    for (const each of OUTCOMES) requests.inc({ method: known, outcome: each }, each === outcome ? 1 : 0);
    this.metrics.maker_rpc_request_duration_seconds.observe({ method: known }, ms / 1000);
    this.metrics.maker_rpc_endpoint_requests_total.inc({ position: positionOf(endpoint), outcome });
    recordCall(method, ms, { 'rpc.system': 'jsonrpc', 'rpc.method': method, 'maker.rpc.outcome': outcome });
  }
}
