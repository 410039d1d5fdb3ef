import { type ChainClient, isContract, meaningOf } from '@maker/chain';
import { PLAIN_TRANSFER_GAS } from '@maker/rules';
import { type Address, BaseError, EstimateGasExecutionError, ExecutionRevertedError, type Hex } from 'viem';

/** More gas than any transaction of ours may have; a small block of HyperEVM holds three million. Source: hyperevm § 1. */
export const GAS_LIMIT_CAP = 1_000_000;

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

/** Gas limit of a transfer; or, in words that follow the recipient's name, why there is none. */
export type TransferGas = { readonly gasLimit: number } | { readonly refusal: string };

/**
 * Gas limit of a transfer of HYPE: exactly what it uses for a plain account, the estimate with a margin for a contract.
 * @throws viem's EstimateGasExecutionError where the recipient refuses it
 */
export async function transferGas(client: ChainClient, { from, to, valueWei, data }: Transfer): Promise<number> {
  if (data === undefined && !(await isContract(client, to))) return Number(PLAIN_TRANSFER_GAS);
  const estimate = await client.estimateGas({ account: from, to, value: valueWei, ...(data && { data }) });
  return Number(withMargin(estimate));
}

/** The same, where the recipient may refuse the transfer or want more gas than a transaction may have. */
export async function transferGasIfAccepted(client: ChainClient, transfer: Transfer): Promise<TransferGas> {
  try {
    const gasLimit = await transferGas(client, transfer);
    return gasLimit > GAS_LIMIT_CAP ? TOO_DEAR : { gasLimit };
  } catch (error) {
    if (isRefusedByContract(error)) return { refusal: 'refuses it' };
    if (meaningOf(error) === 'too_large') return TOO_DEAR;
    throw error;
  }
}

const TOO_DEAR = {
  refusal: `needs more gas for it than the ${GAS_LIMIT_CAP.toLocaleString('en')} that a transaction may have`,
};

/** Whether a call or an estimate failed because the contract refused it, not because the endpoint did not answer. */
export function isRefusedByContract(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  if (error.walk((cause) => cause instanceof ExecutionRevertedError)) return true;
  // A failed assertion is no revert by name, and as much a refusal.
  return error instanceof EstimateGasExecutionError && meaningOf(error) === 'reverted';
}
