import { type Address, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem';
import { multicall3Abi } from '../abi/multicall3.ts';
import type { Call } from '../query.ts';
import type { SendTrialCall } from './trial-call.ts';

/** One call of a trial that Multicall3 makes. */
export interface TrialStep extends Call {
  /** Native HYPE that it spends, wei; none unless set. */
  readonly value?: bigint;
}

/** What became of a step; the steps after one that reverted are made all the same. */
export interface TrialStepResult {
  readonly success: boolean;
  readonly returnData: Hex;
}

/** Makes the steps of a trial in one call, one after the other, with Multicall3 as their sender. @throws what the call fails with */
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
