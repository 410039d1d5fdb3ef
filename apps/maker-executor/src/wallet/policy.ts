import { erc20Abi, GAS_LIMIT_CAP } from '@maker/chain';
import type {
  Execution,
  ExecutionPhase,
  Refunding,
  TransactionPurpose,
  TransactionRecord,
} from '@maker/execution-records';
import { FEE_CAP_WEI, GAS_GUARDRAIL_WEI, LARGEST_ORDER_WEI } from '@maker/rules';
import type { UnsignedTransaction } from '@maker/signing/private';
import { type Address, decodeFunctionData, isAddressEqual } from 'viem';

/** What does not change while the service runs. */
export interface PolicyLimits {
  readonly chainId: number;
  readonly treasury: Address;
  readonly routers: readonly Address[];
}

/** A transaction that must not be signed; it says which rule it breaks, and never what was in it. */
export class PolicyViolationError extends Error {
  readonly code = 'POLICY_VIOLATION';

  constructor(
    readonly purpose: TransactionPurpose,
    readonly rule: string,
  ) {
    super(`Refused to sign a transaction for '${purpose}': ${rule}`);
    this.name = 'PolicyViolationError';
  }
}

/**
 * The last check before a key is used. It trusts nothing but the stored execution and the configuration: the chain id
 * is pinned, each purpose has its one recipient and its one amount, and fees are capped. Source: design § 5.
 * @param execution as read from the database, not as a message told
 * @param signer the address whose key would sign
 * @param replaces the transaction at whose nonce this one is to stand: it was approved, so that only fees may differ
 * @throws PolicyViolationError
 */
export function assertMaySign(
  purpose: TransactionPurpose,
  transaction: UnsignedTransaction,
  execution: Execution,
  signer: Address,
  limits: PolicyLimits,
  replaces?: Replaceable,
): void {
  const demand = (holds: boolean, rule: string) => {
    if (!holds) throw new PolicyViolationError(purpose, rule);
  };
  demand(isAddressEqual(signer, execution.walletAddress), "the signer is not the job's wallet");
  demand(transaction.chainId === limits.chainId, 'the chain id is not the configured one');
  demand(transaction.maxFeePerGasWei <= FEE_CAP_WEI, 'the fee is above the cap');
  demand(transaction.maxPriorityFeePerGasWei <= transaction.maxFeePerGasWei, 'the tip is above the fee');
  demand(transaction.gas <= BigInt(GAS_LIMIT_CAP), 'the gas limit is above the cap');
  if (replaces) replacementRule(transaction, execution, replaces, demand);
  else RULES[purpose](transaction, execution, limits, demand);
}

/** What of a saved transaction its replacement is held to. */
export type Replaceable = Pick<TransactionRecord, 'purpose' | 'to' | 'data' | 'gasLimit' | 'attempts'>;

/** The same once more at other fees, taken from what a return moves; or, of an order, nothing at all in its place. */
function replacementRule(
  transaction: UnsignedTransaction,
  { walletAddress }: Execution,
  { purpose, to, data, gasLimit, attempts }: Replaceable,
  demand: Demand,
): void {
  const cost = (valueWei: bigint, feeWei: bigint) => valueWei + transaction.gas * feeWei;
  const [first] = attempts;
  const isSame = transaction.data === data && transaction.gas === BigInt(gasLimit);
  if (purpose === 'order' && !isSame) {
    demand(isAddressEqual(transaction.to, walletAddress), 'an order is replaced by nothing: it goes to its own wallet');
    demand(transaction.valueWei === 0n && transaction.data === '0x', 'an order is replaced by nothing');
    return;
  }
  demand(isAddressEqual(transaction.to, to), 'a replacement has the recipient of what it replaces');
  demand(isSame, 'a replacement does what it replaces');
  if (purpose === 'order')
    demand(transaction.maxFeePerGasWei <= GAS_GUARDRAIL_WEI, 'the fee of an order is above the guardrail');
  demand(first !== undefined, 'there is nothing to replace');
  if (!first) return;
  if (purpose === 'return' || purpose === 'refund') {
    const most = cost(first.valueWei, first.maxFeePerGasWei);
    demand(
      cost(transaction.valueWei, transaction.maxFeePerGasWei) <= most,
      'a replaced return takes more than the first',
    );
  } else demand(transaction.valueWei === first.valueWei, 'a replacement moves what it replaces');
}

/** Phases in which a refund may be sent: the job places no orders (any more). */
const REFUND_PHASES: readonly ExecutionPhase[] = ['return', 'completed', 'failed', 'never_ran'];

type Demand = (holds: boolean, rule: string) => void;
type Rule = (transaction: UnsignedTransaction, execution: Execution, limits: PolicyLimits, demand: Demand) => void;

const RULES: Readonly<Record<TransactionPurpose, Rule>> = {
  fee: (transaction, execution, limits, demand) => {
    demand(isAddressEqual(transaction.to, limits.treasury), 'the recipient is not the treasury');
    demand(transaction.valueWei === execution.feeWei, "the value is not the job's fee");
    demand(transaction.data === '0x', 'a plain transfer carries no data');
    demand(execution.phase === 'fee' && execution.totals.feeWei === 0n, 'the fee was paid');
  },
  order: (transaction, execution, limits, demand) => {
    demand(
      limits.routers.some((router) => isAddressEqual(router, transaction.to)),
      'the recipient is no router of the registry',
    );
    demand(transaction.valueWei > 0n, 'an order spends something');
    demand(transaction.valueWei <= LARGEST_ORDER_WEI, 'an order spends more than sixteen merged ones');
    demand(
      execution.totals.orderWei + transaction.valueWei <= execution.orderBudgetWei,
      'orders spend more than the order budget',
    );
    demand(transaction.maxFeePerGasWei <= GAS_GUARDRAIL_WEI, 'the fee of an order is above the guardrail');
    demand(mentions(transaction, execution.walletAddress), "what is bought does not go to the job's wallet");
    demand(mentions(transaction, execution.tokenAddress), "it does not buy the job's token");
    demand(execution.phase === 'trading', 'orders are placed while trading only');
  },
  delivery: (transaction, execution, _limits, demand) => {
    const { tokenAddress, otherTokens = [] } = execution;
    const isReleased = [tokenAddress, ...otherTokens].some((token) => isAddressEqual(token, transaction.to));
    demand(isReleased, 'the recipient is not the bought token');
    demand(transaction.valueWei === 0n, 'a delivery moves no HYPE');
    demand(deliversTo(transaction, execution.returnAddress), 'the tokens do not go to the return address');
    demand(execution.phase === 'delivery', 'tokens are delivered after trading only');
  },
  refund: (transaction, execution, _limits, demand) => {
    demand(execution.refunding !== null, 'no refund is being sent');
    if (execution.refunding) refundRule(transaction, execution, execution.refunding, demand);
  },
  return: (transaction, execution, _limits, demand) => {
    demand(execution.refunding === null, 'a refund is being sent');
    demand(
      execution.returnAddress !== null && isAddressEqual(transaction.to, execution.returnAddress),
      'the recipient is not the return address',
    );
    demand(transaction.data === '0x', 'a plain transfer carries no data');
    demand(execution.phase === 'return', 'the rest is returned at the end only');
  },
};

/** One refund: to its recipient, and never more than came. */
function refundRule(
  transaction: UnsignedTransaction,
  { phase }: Execution,
  { to, amountWei }: Refunding,
  demand: Demand,
): void {
  demand(isAddressEqual(transaction.to, to), 'the recipient is not that of the return');
  demand(transaction.data === '0x', 'a plain transfer carries no data');
  demand(
    transaction.valueWei + transaction.gas * transaction.maxFeePerGasWei <= amountWei,
    'the return takes more than came',
  );
  demand(REFUND_PHASES.includes(phase), 'deposits are returned when the job is at its end');
}

function mentions(transaction: UnsignedTransaction, address: Address): boolean {
  return transaction.data.toLowerCase().includes(address.slice(2).toLowerCase());
}

function deliversTo(transaction: UnsignedTransaction, returnAddress: Address | null): boolean {
  if (returnAddress === null) return false;
  try {
    const call = decodeFunctionData({ abi: erc20Abi, data: transaction.data });
    return call.functionName === 'transfer' && isAddressEqual(call.args[0], returnAddress);
  } catch {
    return false;
  }
}
