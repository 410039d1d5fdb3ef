import { erc20Abi, GAS_LIMIT_CAP } from '@maker/chain';
import type {
  Execution,
  ExecutionPhase,
  Refunding,
  TransactionPurpose,
  TransactionRecord,
} from '@maker/execution-records';
import { FEE_CAP_WEI, GAS_GUARDRAIL_WEI, LARGEST_ORDER_WEI } from '@maker/rules';
import { AgreedRecipient, type RecipientTrust } from '@maker/signing/agreement';
import type { UnsignedTransaction } from '@maker/signing/private';
import { type Address, decodeFunctionData, isAddressEqual } from 'viem';

/** Limits by the configuration and the registry of exchanges. */
export interface PolicyLimits {
  readonly chainId: number;
  readonly treasury: Address;
  /** Whose signatures decide who receives a job's money. */
  readonly trust: RecipientTrust;
  readonly routers: readonly Address[];
}

/** A transaction that must not be signed. The error names the broken rule, never the transaction's content. */
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
 * Checks a transaction directly before a key signs it. It trusts only the stored execution and the configuration, and for the recipient
 * of tokens and of the rest only signatures: the chain id is fixed, each purpose has one recipient and one amount, and fees are capped.
 * Source: design § 5.
 * @param execution as read from the database, not from a message
 * @param signer address of the signing key
 * @param replaces the approved transaction at the same nonce, from which only fees may differ
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
  const isVoid = replaces && purpose === 'order' && isAddressEqual(transaction.to, execution.walletAddress);
  if (!isVoid) RECIPIENTS[purpose]?.(transaction, execution, limits, demand);
}

/** Fields of a saved transaction that limit its replacement. */
export type Replaceable = Pick<TransactionRecord, 'purpose' | 'to' | 'data' | 'gasLimit' | 'attempts'>;

/** A replacement differs only in fees, which a return pays from its amount. An order may also be replaced by an empty transfer. */
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
    demand(isAddressEqual(transaction.to, walletAddress), "an order's void replacement must go to its own wallet");
    demand(transaction.valueWei === 0n && transaction.data === '0x', "an order's void replacement must be empty");
    return;
  }
  demand(isAddressEqual(transaction.to, to), 'a replacement must have the same recipient');
  demand(isSame, 'a replacement must have the same data and gas limit');
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
  } else demand(transaction.valueWei === first.valueWei, 'a replacement must move the same value');
}

/** Phases in which a refund may be sent: the job places no more orders. */
const REFUND_PHASES: readonly ExecutionPhase[] = ['return', 'completed', 'failed', 'never_ran'];

type Demand = (holds: boolean, rule: string) => void;
type Rule = (transaction: UnsignedTransaction, execution: Execution, limits: PolicyLimits, demand: Demand) => void;

/**
 * Who may receive something. It holds for replacements too: the database could name another recipient of a stuck transaction.
 * `phases/track.ts` verifies that of a refund, which may need the chain.
 */
const RECIPIENTS: Readonly<Partial<Record<TransactionPurpose, Rule>>> = {
  fee: ({ to }, _execution, limits, demand) =>
    demand(isAddressEqual(to, limits.treasury), 'the recipient is not the treasury'),
  order: (transaction, execution, { routers }, demand) => {
    demand(
      routers.some((router) => isAddressEqual(router, transaction.to)),
      'the recipient is no router of the registry',
    );
    demand(mentions(transaction, execution.walletAddress), "the bought tokens do not go to the job's wallet");
    demand(mentions(transaction, execution.tokenAddress), "it does not buy the job's token");
  },
  delivery: (transaction, execution, { trust }, demand) => {
    const recipient = AgreedRecipient.ofReturn(execution, trust);
    const isAgreed = !('holdReason' in recipient) && deliversTo(transaction, recipient.address);
    demand(isAgreed, 'the tokens do not go to the agreed return address');
  },
  return: ({ to }, execution, { trust }, demand) => {
    const recipient = AgreedRecipient.ofReturn(execution, trust);
    const isAgreed = !('holdReason' in recipient) && isAddressEqual(to, recipient.address);
    demand(isAgreed, 'the recipient is not the agreed return address');
  },
};

const RULES: Readonly<Record<TransactionPurpose, Rule>> = {
  fee: (transaction, execution, _limits, demand) => {
    demand(transaction.valueWei === execution.feeWei, "the value is not the job's fee");
    demand(transaction.data === '0x', 'a plain transfer carries no data');
    demand(execution.phase === 'fee' && execution.totals.feeWei === 0n, 'the fee was paid');
  },
  order: (transaction, execution, _limits, demand) => {
    demand(transaction.valueWei > 0n, 'an order spends no HYPE');
    demand(transaction.valueWei <= LARGEST_ORDER_WEI, 'an order is larger than sixteen merged orders');
    demand(
      execution.totals.orderWei + transaction.valueWei <= execution.orderBudgetWei,
      'orders spend more than the order budget',
    );
    demand(transaction.maxFeePerGasWei <= GAS_GUARDRAIL_WEI, 'the fee of an order is above the guardrail');
    demand(execution.phase === 'trading', 'orders are only allowed in trading');
  },
  delivery: (transaction, execution, _limits, demand) => {
    const { tokenAddress, otherTokens = [] } = execution;
    const isReleased = [tokenAddress, ...otherTokens].some((token) => isAddressEqual(token, transaction.to));
    demand(isReleased, 'the recipient is not the bought token');
    demand(transaction.valueWei === 0n, 'a delivery moves no HYPE');
    demand(execution.phase === 'delivery', 'deliveries are only allowed after trading');
  },
  refund: (transaction, execution, _limits, demand) => {
    demand(execution.refunding !== null, 'no refund is being sent');
    if (execution.refunding) refundRule(transaction, execution, execution.refunding, demand);
  },
  return: (transaction, execution, _limits, demand) => {
    demand(execution.refunding === null, 'a refund is being sent');
    demand(transaction.data === '0x', 'a plain transfer carries no data');
    demand(execution.phase === 'return', 'the return is only allowed at the end');
  },
};

/** A refund goes to its recipient, with at most the amount that came. */
function refundRule(
  transaction: UnsignedTransaction,
  { phase }: Execution,
  { to, amountWei }: Refunding,
  demand: Demand,
): void {
  demand(isAddressEqual(transaction.to, to), 'the recipient is not the one of the refund');
  demand(transaction.data === '0x', 'a plain transfer carries no data');
  demand(
    transaction.valueWei + transaction.gas * transaction.maxFeePerGasWei <= amountWei,
    'the refund takes more than came',
  );
  demand(REFUND_PHASES.includes(phase), 'refunds are only allowed at the end of the job');
}

function mentions(transaction: UnsignedTransaction, address: Address): boolean {
  return transaction.data.toLowerCase().includes(address.slice(2).toLowerCase());
}

function deliversTo(transaction: UnsignedTransaction, returnAddress: Address): boolean {
  try {
    const call = decodeFunctionData({ abi: erc20Abi, data: transaction.data });
    return call.functionName === 'transfer' && isAddressEqual(call.args[0], returnAddress);
  } catch {
    return false;
  }
}
