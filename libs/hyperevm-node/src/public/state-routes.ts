import { numberToHex } from 'viem';
import { ignoreStateBlock } from '../rules/block-heights.ts';
import { limitedCall } from '../rules/call-limits.ts';
import type { Route, View } from './view.ts';

/** Methods that read state, and the index of the block parameter that they ignore. */
const STATE_METHODS = {
  eth_call: 1,
  eth_estimateGas: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getStorageAt: 2,
  eth_getTransactionCount: 1,
} as const;

type StateMethod = keyof typeof STATE_METHODS;

export function isStateMethod(method: string): method is StateMethod {
  return Object.hasOwn(STATE_METHODS, method);
}

/** Reads the latest state, for any requested block. */
export function stateRoute(view: View, method: StateMethod, params: readonly unknown[]): Route {
  const latest = numberToHex(view.head.number);
  if (method === 'eth_call' || method === 'eth_estimateGas') {
    return { forward: { method, params: limitedCall(params, latest, view.switches) } };
  }
  const index = STATE_METHODS[method];
  ignoreStateBlock(params[index]);
  return { forward: { method, params: [...params.slice(0, index), latest] } };
}
