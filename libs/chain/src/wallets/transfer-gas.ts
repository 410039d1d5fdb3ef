import { PLAIN_TRANSFER_GAS } from '@maker/rules';
import { type Address, BaseError, EstimateGasExecutionError, ExecutionRevertedError, type Hex } from 'viem';
import type { Hosts } from '../agreement/hosts.ts';
import type { ChainClient } from '../client.ts';
import { meaningOf } from '../error-meaning.ts';
import { isContract } from '../latest-block.ts';
import { agreedAnswers, quorum, UnconfirmedError, votedBy } from '../quorum.ts';

/** Highest gas limit of our transactions; a small block of HyperEVM holds three million gas. Source: hyperevm § 1. */
export const GAS_LIMIT_CAP = 1_000_000;

/** Margin on estimates, which are exact only for their own block. */
const MARGIN_NUMERATOR = 5n;
const MARGIN_DENOMINATOR = 4n;

/** Gas limit with room for changes until the transaction is mined. */
export function withMargin(estimate: bigint): bigint {
  return (estimate * MARGIN_NUMERATOR) / MARGIN_DENOMINATOR;
}

/** A transfer whose gas is needed. Value in wei. */
export interface PlannedTransfer {
  readonly from: Address;
  readonly to: Address;
  readonly valueWei: bigint;
  readonly data?: Hex;
}

/** Gas limit of a transfer; or the reason for none, in words that follow the recipient's name. */
export type TransferGas = { readonly gasLimit: number } | { readonly refusal: string };

/**
 * Gas limit of a transfer of HYPE: the exact use for a plain account, the estimate with a margin for a contract.
 * @throws viem's EstimateGasExecutionError where the recipient refuses it
 */
export async function transferGas(client: ChainClient, { from, to, valueWei, data }: PlannedTransfer): Promise<number> {
  if (data === undefined && !(await isContract(client, to))) return Number(PLAIN_TRANSFER_GAS);
  const estimate = await client.estimateGas({ account: from, to, value: valueWei, ...(data && { data }) });
  return Number(withMargin(estimate));
}

/** The same, for a recipient that may refuse the transfer or need more gas than a transaction may have. */
export async function transferGasIfAccepted(client: ChainClient, transfer: PlannedTransfer): Promise<TransferGas> {
  try {
    const gasLimit = await transferGas(client, transfer);
    return gasLimit > GAS_LIMIT_CAP ? TOO_DEAR : { gasLimit };
  } catch (error) {
    if (isRefusedByContract(error)) return { refusal: 'refuses it' };
    if (meaningOf(error) === 'too_large') return TOO_DEAR;
    throw error;
  }
}

/**
 * The same by several hosts: the highest of their estimates. A transfer counts as refused if enough hosts say so.
 * @throws UnconfirmedError
 */
export async function agreedTransferGas(hosts: Hosts, transfer: PlannedTransfer): Promise<TransferGas> {
  const answers = await hosts.answers((client) => transferGasIfAccepted(client, transfer));
  const refusal = answers.find((gas) => 'refusal' in gas);
  const areRefused = answers.map((gas) => 'refusal' in gas);
  if (refusal && votedBy(areRefused, hosts.trustsSingle)) return refusal;
  const limits = answers.flatMap((gas) => ('gasLimit' in gas ? [gas.gasLimit] : []));
  if (limits.length === 0) throw new UnconfirmedError(answers.length);
  return { gasLimit: Math.max(...limits) };
}

/** A purchase whose gas is needed. */
export interface Purchase {
  readonly account: Address;
  readonly to: Address;
  readonly value: bigint;
  readonly data: Hex;
}

/**
 * Gas that a purchase uses; an unusual value needs two hosts. @param isUsual whether one host's estimate is enough
 * @returns undefined where the pool or the token refuses it @throws UnconfirmedError
 */
export async function agreedPurchaseGas(
  hosts: Hosts,
  purchase: Purchase,
  isUsual: (gas: bigint) => boolean,
): Promise<bigint | undefined> {
  const expected = (gas: bigint | undefined) => gas !== undefined && isUsual(gas);
  const question = hosts.question((client) => purchaseGas(client, purchase));
  const verdict = await quorum(question, { expected, tolerance: areEstimatesAlike });
  return agreedAnswers(verdict).reduce((most, gas) =>
    most !== undefined && gas !== undefined && gas < most ? most : gas,
  );
}

async function purchaseGas(client: ChainClient, purchase: Purchase): Promise<bigint | undefined> {
  try {
    return await client.estimateGas(purchase);
  } catch (error) {
    if (isRefusedByContract(error)) return undefined;
    throw error;
  }
}

/** Whether two estimates differ by no more than the margin of a limit. */
function areEstimatesAlike(one: bigint | undefined, other: bigint | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one <= withMargin(other) && other <= withMargin(one);
}

const TOO_DEAR = {
  refusal: `needs more gas for it than the ${GAS_LIMIT_CAP.toLocaleString('en')} that a transaction may have`,
};

/** Whether a call or an estimate failed because the contract refused it, not because the endpoint did not answer. */
export function isRefusedByContract(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  if (error.walk((cause) => cause instanceof ExecutionRevertedError)) return true;
  // A failed assertion has another name than a revert, but is also a refusal.
  return error instanceof EstimateGasExecutionError && meaningOf(error) === 'reverted';
}
