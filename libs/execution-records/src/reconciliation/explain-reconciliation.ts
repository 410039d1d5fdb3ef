import type { ReconciliationResponse } from '@maker/contracts';
import { formatHype } from '@maker/rules';
import type { Execution } from '../execution/execution.ts';
import { expectedBalance, freeBalance, gasPaid, heldBalance, LEDGER_KINDS } from '../ledger/ledger-entry.ts';
import { type Refund, sumRefunds, unexplainedSurplus } from '../refund/refund.ts';

/** A wallet's state on the chain and its signed transactions. */
export interface WalletFacts {
  readonly jobId: string;
  readonly walletAddress: string;
  readonly blockNumber: number;
  /** Balance, wei. */
  readonly chainWei: bigint;
  readonly usedNonces: number;
  /** Transactions that this service signed for the wallet. */
  readonly signedNonces: number;
  /** Transactions that are not final: while there are any, balance and ledger may differ without a fault. */
  readonly openTransactions: number;
}

/** Refunds listed one by one; strangers can cause any number of them. */
const MOST_REFUNDS_NAMED = 50;

type Verdict = ReconciliationResponse['verdict'];

/**
 * Explains the difference between a wallet's ledger and the chain to the operator. Source: design § 5.
 * @param execution undefined for a job without an execution
 */
export function explainReconciliation(
  facts: WalletFacts,
  execution: Execution | undefined,
  refunds: readonly Refund[],
): ReconciliationResponse {
  const expectedWei = execution ? expectedBalance(execution.totals) : 0n;
  const differenceWei = facts.chainWei - expectedWei;
  const verdict = judge(facts, execution, differenceWei);
  const { chainWei, ...same } = facts;
  return {
    ...same,
    verdict,
    chainWei: chainWei.toString(),
    expectedWei: expectedWei.toString(),
    differenceWei: differenceWei.toString(),
    heldWei: (execution ? heldBalance(execution.totals) : 0n).toString(),
    totals: execution
      ? Object.fromEntries(LEDGER_KINDS.map((kind) => [kind, execution.totals[`${kind}Wei`].toString()]))
      : {},
    explanation: [
      ...(execution ? bookLines(execution, refunds) : []),
      verdictLine(verdict, facts, differenceWei),
      ...(execution?.driftWei ? ['the wallet is stopped: nothing is sent until ledger and chain agree'] : []),
    ],
  };
}

function judge(facts: WalletFacts, execution: Execution | undefined, differenceWei: bigint): Verdict {
  if (!execution) return 'no_ledger';
  if (facts.openTransactions > 0) return 'open_transactions';
  if (facts.usedNonces > facts.signedNonces) return 'foreign_nonces';
  if (differenceWei > 0n) return 'surplus';
  return differenceWei < 0n ? 'missing' : 'equal';
}

function bookLines({ totals, absorbedWei, heldReason }: Execution, refunds: readonly Refund[]): string[] {
  const came = totals.depositWei + totals.surplusWei;
  const spent = [
    `fee ${formatHype(totals.feeWei)}`,
    `orders ${formatHype(totals.orderWei)}`,
    `gas ${formatHype(gasPaid(totals))}`,
    `returned ${formatHype(totals.returnedWei)}`,
    `held ${formatHype(heldBalance(totals))}`,
    `free ${formatHype(freeBalance(totals))}`,
  ];
  const unexplainedWei = unexplainedSurplus({ totals, absorbedWei }, sumRefunds(refunds));
  return [
    `the ledger: ${formatHype(came)} HYPE came = ${spent.join(' + ')}`,
    ...(heldReason === null ? [] : [`held because ${heldReason}`]),
    ...(unexplainedWei > 0n ? [`${formatHype(unexplainedWei)} HYPE came that no known deposit explains`] : []),
    ...(refunds.length > MOST_REFUNDS_NAMED ? [`${refunds.length} returns in all; these are the newest:`] : []),
    ...refunds
      .slice(-MOST_REFUNDS_NAMED)
      .map(({ id, amountWei, state }) => `return ${id} of ${formatHype(amountWei)} HYPE: ${state}`),
  ];
}

function verdictLine(verdict: Verdict, facts: WalletFacts, differenceWei: bigint): string {
  const chain = `the chain shows ${formatHype(facts.chainWei)} HYPE at block ${facts.blockNumber}`;
  const foreign = facts.usedNonces - facts.signedNonces;
  const lines: Readonly<Record<Verdict, string>> = {
    no_ledger: `${chain}; this job has no execution`,
    equal: `${chain}: exactly what the ledger says`,
    surplus: `${chain}, ${formatHype(differenceWei)} more than the ledger: the next check books it, then it is returned or held`,
    missing: `${chain}, ${formatHype(-differenceWei)} less than the ledger, and no transaction of ours explains it`,
    open_transactions: `${chain}; ${facts.openTransactions} transactions are not final, so both may differ without a fault`,
    foreign_nonces: `${foreign} transactions of this wallet were not signed by this service: its key is used elsewhere`,
  };
  return lines[verdict];
}
