import type { JobPlan } from '@maker/contracts';
import { FEE_PERCENT, formatHype, formatHypeShort, splitDeposit } from '@maker/rules';
import { KeyValue, KeyValueList } from '@maker/ui';
import * as styles from './budget-split.module.css';
import { note } from './note.module.css';
import { spentWei } from './plan/plan-text.ts';

interface BudgetSplitProps {
  /** Wei; undefined while nothing valid is chosen. */
  readonly amountWei: bigint | undefined;
  /** Of this amount; undefined while it is not known. */
  readonly plan: JobPlan | undefined;
}

/** Where the chosen budget goes, before anything is paid; unfolded where the pool cannot take all of it. */
export function BudgetSplit({ amountWei, plan }: BudgetSplitProps) {
  const split = amountWei === undefined ? undefined : splitDeposit(amountWei);
  const isPart = plan?.warnings.includes('pool_takes_only_part') ?? false;
  const hype = (wei: bigint | undefined) => (wei === undefined ? '–' : `${formatHype(wei)} HYPE`);
  const buysWei = plan && split && isPart ? spentWei(plan) : split?.orderBudgetWei;
  return (
    <details className={styles.split} open={isPart || undefined}>
      <summary>Where your HYPE goes</summary>
      <KeyValueList>
        <KeyValue name="You send">{hype(amountWei)}</KeyValue>
        <KeyValue name={`Service fee, ${FEE_PERCENT}%`}>{hype(split?.feeWei)}</KeyValue>
        <KeyValue name="Reserve for gas">{hype(split?.reserveWei)}</KeyValue>
        <KeyValue name="Buys your token">
          {isPart && buysWei !== undefined ? `about ${formatHypeShort(buysWei, 2)} HYPE` : hype(buysWei)}
        </KeyValue>
        {isPart && split && buysWei !== undefined && (
          <KeyValue name="Comes back">{`about ${formatHypeShort(split.orderBudgetWei - buysWei, 2)} HYPE`}</KeyValue>
        )}
      </KeyValueList>
      <p className={note}>
        {isPart
          ? 'The fee is taken of all that you send. What cannot be spent comes back.'
          : 'Every token that is bought is delivered to you. What is not spent of the reserve and the orders comes back.'}
      </p>
    </details>
  );
}
