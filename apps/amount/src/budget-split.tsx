import type { JobPlan } from '@maker/contracts';
import { FEE_PERCENT, formatHype, formatHypeShort, splitDeposit } from '@maker/rules';
import { Button, KeyValue, KeyValueList, Notice } from '@maker/ui';
import * as styles from './budget-split.module.css';
import { note } from './note.module.css';
import { largestUsefulWei, partWarning, spentWei, takesOnlyPart } from './plan/plan-text.ts';

interface BudgetSplitProps {
  /** Wei; undefined without a valid choice. */
  readonly amountWei: bigint | undefined;
  /** For this amount; undefined until it is known. */
  readonly plan: JobPlan | undefined;
  /** The smallest accepted budget, wei. */
  readonly minimumWei: bigint;
  /** Chooses another budget instead. */
  readonly onUse: (hype: string) => void;
}

/** The use of the chosen budget, before payment; unfolded if pool or token can take only a part of it. */
export function BudgetSplit({ amountWei, plan, minimumWei, onUse }: BudgetSplitProps) {
  const split = amountWei === undefined ? undefined : splitDeposit(amountWei);
  const part = plan && takesOnlyPart(plan) ? plan : undefined;
  const hype = (wei: bigint | undefined) => (wei === undefined ? '–' : `${formatHype(wei)} HYPE`);
  const about = (wei: bigint) => `≈ ${formatHypeShort(wei, 2)} HYPE`;
  return (
    <details className={styles.split} open={part !== undefined || undefined}>
      <summary>Where your HYPE goes</summary>
      {part && <PartNotice plan={part} minimumWei={minimumWei} onUse={onUse} />}
      <KeyValueList>
        {!part && <KeyValue name="You send">{hype(amountWei)}</KeyValue>}
        <KeyValue name={`Service fee, ${FEE_PERCENT}%`}>{hype(split?.feeWei)}</KeyValue>
        {!part && <KeyValue name="Network fee reserve">{hype(split?.reserveWei)}</KeyValue>}
        <KeyValue name="Buys your token">{part ? about(spentWei(part)) : hype(split?.orderBudgetWei)}</KeyValue>
        {part && split && <KeyValue name="Returned">{about(split.orderBudgetWei - spentWei(part))}</KeyValue>}
      </KeyValueList>
      {!part && (
        <p className={note}>
          You receive every token that the bot buys. Unspent HYPE of the reserve and the orders is returned.
        </p>
      )}
    </details>
  );
}

interface PartNoticeProps extends Pick<BudgetSplitProps, 'minimumWei' | 'onUse'> {
  readonly plan: JobPlan;
}

/** The usable part of the budget, and a button that chooses that amount. */
function PartNotice({ plan, minimumWei, onUse }: PartNoticeProps) {
  const usefulWei = largestUsefulWei(plan, minimumWei);
  return (
    <Notice tone="yellow">
      <div className={styles.part}>
        <p>{partWarning(plan)}</p>
        {usefulWei !== undefined && (
          <Button variant="secondary" onClick={() => onUse(formatHype(usefulWei))}>
            {`Use ${formatHype(usefulWei)}`}
          </Button>
        )}
      </div>
    </Notice>
  );
}
