import { BaseError, EstimateGasExecutionError, ExecutionRevertedError } from 'viem';

/** Whether a call or an estimate failed because the contract refused it, not because the endpoint did not answer. */
export function isRefusedByContract(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  if (error.walk((cause) => cause instanceof ExecutionRevertedError)) return true;
  return error instanceof EstimateGasExecutionError && /revert/i.test(error.message);
}
