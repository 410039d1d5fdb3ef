import { isHex, numberToHex } from 'viem';
import { ignoreStateBlock } from './block-heights.ts';
import { INVALID_PARAMETERS, invalidParameters, RpcError } from './json-rpc.ts';

/** Gas limit of one `eth_call`. A higher request is no error: the call just gets this much. Source: hyperevm § 1.2. */
export const CALL_GAS = 30_000_000n;

/**
 * Parameters of `eth_call` and `eth_estimateGas` for anvil: at the latest state, with no more gas than allowed.
 * @param block the latest block of the node that answers
 * @throws RpcError for a call that the switches reject
 */
export function limitedCall(
  params: readonly unknown[],
  block: string,
  refused: { refuseDeploylessCalls: boolean; refuseStateOverrides: boolean },
): unknown[] {
  const [transaction, stateBlock, ...overrides] = params;
  if (typeof transaction !== 'object' || transaction === null) throw invalidParameters('a transaction is expected');
  ignoreStateBlock(stateBlock);
  const { to, gas } = transaction as { to?: unknown; gas?: unknown };
  if (refused.refuseDeploylessCalls && (to === undefined || to === null)) throw invalidParameters('missing field `to`');
  if (refused.refuseStateOverrides && overrides.some((override) => override !== undefined && override !== null)) {
    throw new RpcError(INVALID_PARAMETERS, `too many arguments, want at most 2, got ${params.length}`);
  }
  const wanted = isHex(gas) ? BigInt(gas) : CALL_GAS;
  return [{ ...transaction, gas: numberToHex(wanted < CALL_GAS ? wanted : CALL_GAS) }, block, ...overrides];
}
