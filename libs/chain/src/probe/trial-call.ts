import { type Address, BaseError, decodeErrorResult, type Hex } from 'viem';

/** No block is as late. */
export const NEVER_SECONDS = 2n ** 40n;

/** A call of a trial: it changes nothing. */
export interface TrialCall {
  /** Absent where the data is creation code. */
  readonly to?: Address;
  readonly data: Hex;
  /** Native HYPE that the trial spends, wei. */
  readonly value: bigint;
}

/** Sends a trial's call from an address that holds what it spends. */
export type SendTrialCall = (call: TrialCall) => Promise<Hex>;

/** The node returned nothing where a trial's outcome was to be. */
export class EmptyTrialError extends BaseError {
  /** Another way may go: EIP-1474's code of what a node does not support. */
  readonly code = -32_004;

  constructor() {
    super('The node returned nothing for a trial.', { name: 'EmptyTrialError' });
  }
}

/** What a step reverted with, in words where it has any. */
export function revertReason(reason: Hex): string {
  if (reason === '0x') return '';
  try {
    const { args } = decodeErrorResult({ abi: [], data: reason });
    return String(args?.[0] ?? reason);
  } catch {
    return reason;
  }
}
