import type { JobPlan } from '@maker/contracts';
import { formatHype } from '@maker/rules';
import { Button, Notice, SubjectLine } from '@maker/ui';
import { subjectOf, type ValidatedToken } from '@maker/web-kit';
import * as styles from './chosen-subject.module.css';
import { largestUsefulWei, partWarning, takesOnlyPart } from './plan/plan-text.ts';

interface ChosenSubjectProps {
  readonly token: ValidatedToken;
  /** Wei; undefined without a valid choice. */
  readonly amountWei: bigint | undefined;
  /** For this amount; undefined until it is known. */
  readonly plan: JobPlan | undefined;
  /** The smallest accepted budget, wei. */
  readonly minimumWei: bigint;
  /** Chooses another budget instead. */
  readonly onUse: (hype: string) => void;
}

/** What the chosen budget buys, costs and returns, before payment, and a smaller budget if pool or token take only a part. */
export function ChosenSubject({ token, amountWei, plan, minimumWei, onUse }: ChosenSubjectProps) {
  const { warning, ...subject } = subjectOf(token, plan, amountWei);
  const usefulWei = plan && largestUsefulWei(plan, minimumWei);
  return (
    <div className={styles.subject}>
      <SubjectLine {...subject} />
      {warning !== undefined && <Notice tone="yellow">{warning}</Notice>}
      {plan && takesOnlyPart(plan) && (
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
      )}
    </div>
  );
}
