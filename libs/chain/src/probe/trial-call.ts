import { type Address, BaseError, decodeErrorResult, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem';
import { multicall3Abi } from '../abi/multicall3.ts';
import type { Call } from '../query.ts';

/** A deadline later than any block, Unix time in seconds. */
export const NEVER_SECONDS = 2n ** 40n;

/** A call of a trial; it changes no state. */
export interface TrialCall {
  /** Absent where the data is creation code. */
  readonly to?: Address;
  readonly data: Hex;
  /** Native HYPE that the trial spends, wei. */
  readonly value: bigint;
}

/** Sends a trial's call from an address that holds the spent amount. */
export type SendTrialCall = (call: TrialCall) => Promise<Hex>;

/** The node returned no data for a trial. */
export class EmptyTrialError extends BaseError {
  /** EIP-1474's code of an unsupported method, so that callers try another way. */
  readonly code = -32_004;

  constructor() {
    super('The node returned nothing for a trial.', { name: 'EmptyTrialError' });
  }
}

/** Returns the revert reason of a step, in words if it has any. */
export function revertReason(reason: Hex): string {
  if (reason === '0x') return '';
  try {
    const { args } = decodeErrorResult({ abi: [], data: reason });
    return String(args?.[0] ?? reason);
  } catch {
    return reason;
  }
}

/** One call of a trial that Multicall3 makes. */
export interface TrialStep extends Call {
  /** Native HYPE that it spends, wei; 0 by default. */
  readonly value?: bigint;
}

/** Result of a step. A reverted step does not stop the later ones. */
export interface TrialStepResult {
  readonly success: boolean;
  readonly returnData: Hex;
}

/** Makes the steps of a trial in one call, in order, with Multicall3 as their sender. @throws the call's error */
export async function runSteps(
  send: SendTrialCall,
  multicall3: Address,
  steps: readonly TrialStep[],
): Promise<readonly TrialStepResult[]> {
  const calls = steps.map(({ to, data, value = 0n }) => ({ target: to, allowFailure: true, value, callData: data }));
  const value = calls.reduce((sum, call) => sum + call.value, 0n);
  const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3Value', args: [calls] });
  const returned = await send({ to: multicall3, data, value });
  return decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3Value', data: returned });
}
