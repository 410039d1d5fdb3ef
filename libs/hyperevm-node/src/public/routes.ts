import { type Hex, isAddress, numberToHex } from 'viem';
import { type Call, invalidParameters, METHOD_NOT_FOUND, RpcError } from '../rules/json-rpc.ts';
import {
  blockOf,
  receiptsRoute,
  routeByHash,
  routeByHeight,
  systemTransactionsIn,
  transactionAt,
  transactionCountOf,
} from './block-routes.ts';
import { feeHistoryRoute } from './fee-route.ts';
import { logRoute } from './log-route.ts';
import { isStateMethod, stateRoute } from './state-routes.ts';
import { receiptRoute, submit, transactionRoute } from './transaction-routes.ts';
import type { Route, View } from './view.ts';

type Routed = (view: View, params: readonly unknown[]) => Route | Promise<Route>;

const result = (value: unknown): Route => ({ result: value });

/**
 * Handlers of all methods but those for state: the methods that HyperEVM's public endpoint documents, and
 * `eth_sendRawTransaction`, which every sender uses. Source: hyperevm § 1.
 */
const ROUTES: Readonly<Record<string, Routed>> = {
  eth_bigBlockGasPrice: (view) => result(numberToHex(view.sources.state.nextBaseFeeWei('big'))),
  eth_blockNumber: (view) => result(numberToHex(view.head.number)),
  eth_chainId: (view) => result(numberToHex(view.sources.state.chainId)),
  eth_feeHistory: feeHistoryRoute,
  eth_gasPrice: (view) => result(numberToHex(view.sources.state.nextBaseFeeWei('small'))),
  eth_getBlockByHash: (view, [hash, whole]) => routeByHash(view, hash, (record) => blockOf(view, record, whole)),
  eth_getBlockByNumber: (view, [height, whole]) =>
    routeByHeight(view, height, (record) => blockOf(view, record, whole)),
  eth_getBlockReceipts: (view, [block]) => receiptsRoute(view, block),
  eth_getBlockTransactionCountByHash: (view, [hash]) =>
    routeByHash(view, hash, (record) => transactionCountOf(view, record)),
  eth_getBlockTransactionCountByNumber: (view, [height]) =>
    routeByHeight(view, height, (record) => transactionCountOf(view, record)),
  eth_getLogs: (view, [filter]) => logRoute(view, filter),
  eth_getSystemTxsByBlockHash: (view, [hash]) => routeByHash(view, hash, systemTransactionsIn),
  eth_getSystemTxsByBlockNumber: (view, [height]) => routeByHeight(view, height ?? 'latest', systemTransactionsIn),
  eth_getTransactionByBlockHashAndIndex: (view, [hash, index]) =>
    routeByHash(view, hash, (record) => transactionAt(view, record, index)),
  eth_getTransactionByBlockNumberAndIndex: (view, [height, index]) =>
    routeByHeight(view, height, (record) => transactionAt(view, record, index)),
  eth_getTransactionByHash: (view, [hash]) => transactionRoute(view, hash),
  eth_getTransactionReceipt: (view, [hash]) => receiptRoute(view, hash),
  eth_maxPriorityFeePerGas: () => result('0x0'),
  eth_sendRawTransaction: async (view, [raw]) => result(await submit(view.sources, raw)),
  eth_syncing: () => result(false),
  eth_usingBigBlocks: (view, [address]) => result(view.sources.bigBlockUsers.has(readAddress(address))),
  net_version: (view) => result(String(view.sources.state.chainId)),
  web3_clientVersion: () => result('hyperevm-node'),
};

/** The route of one call. @throws RpcError */
export async function routeOf(view: View, { method, params }: Call): Promise<Route> {
  if (isStateMethod(method)) return stateRoute(view, method, params);
  const routed = Object.hasOwn(ROUTES, method) ? ROUTES[method] : undefined;
  if (!routed) throw new RpcError(METHOD_NOT_FOUND, `the method ${method} does not exist/is not available`);
  return routed(view, params);
}

/** An address in lower case. @throws RpcError */
export function readAddress(value: unknown): Hex {
  if (typeof value !== 'string' || !isAddress(value, { strict: false })) {
    throw invalidParameters(`an address is expected, got ${JSON.stringify(value)}`);
  }
  return value.toLowerCase() as Hex;
}
