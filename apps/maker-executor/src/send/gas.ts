import { type ChainClient, isContract } from '@maker/chain';
import { type Address, BaseError, EstimateGasExecutionError, ExecutionRevertedError, type Hex } from 'viem';

/** What a plain transfer of HYPE to an account without code uses, to the unit. */
export const PLAIN_TRANSFER_GAS = 21_000;

/** Estimates are exact only for the block they were made at. */
const MARGIN_NUMERATOR = 5n;
const MARGIN_DENOMINATOR = 4n;

/** Gas limit with room for what changes until the transaction is mined. */
export function withMargin(estimate: bigint): bigint {
  return (estimate * MARGIN_NUMERATOR) / MARGIN_DENOMINATOR;
}

/** A transfer whose gas is asked for. Value in wei. */
export interface Transfer {
  readonly from: Address;
  readonly to: Address;
  readonly valueWei: bigint;
  readonly data?: Hex;
}

/**
 * Gas limit of a transfer of HYPE: exactly what it uses for a plain account, the estimate with a margin for a contract.
 * @throws viem's EstimateGasExecutionError where the recipient refuses it
 */
export async function transferGas(client: ChainClient, { from, to, valueWei, data }: Transfer): Promise<number> {
  if (data === undefined && !(await isContract(client, to))) return PLAIN_TRANSFER_GAS;
  const estimate = await client.estimateGas({ account: from, to, value: valueWei, ...(data && { data }) });
  return Number(withMargin(estimate));
}

/** The same; undefined where the recipient refuses the transfer. */
export async function transferGasIfAccepted(client: ChainClient, transfer: Transfer): Promise<number | undefined> {
  try {
    return await transferGas(client, transfer);
  } catch (error) {
    if (isRefusedByContract(error)) return undefined;
    throw error;
  }
}

/** Whether a call or an estimate failed because the contract refused it, not because the endpoint did not answer. */
export function isRefusedByContract(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  if (error.walk((cause) => cause instanceof ExecutionRevertedError)) return true;
  return error instanceof EstimateGasExecutionError && /revert/i.test(error.message);
}
