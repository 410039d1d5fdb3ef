import type { JobPlan } from '@maker/contracts';
import { KeyValue, KeyValueList, Notice, Surface } from '@maker/ui';
import { DAY_AND_TIME } from '@maker/web-kit';
import { note } from '../note.module.css';
import * as styles from './plan-panel.module.css';
import { planHeadline, planLines, planWarnings, takesOnlyPart } from './plan-text.ts';
import type { KnownPlan } from './use-plan.ts';

const moment = (iso: string) => DAY_AND_TIME.format(new Date(iso));

/** With these statuses the message explains why the service accepts no job of this amount. Other failures are not shown. */
const EXPLAINED = [409, 422, 503];

interface PlanPanelProps {
  readonly known: KnownPlan | undefined;
  /** The server's time, ms. */
  readonly now: number;
}

/** The plan of the chosen budget. While it is unknown, the panel is empty and the step works without it. */
export function PlanPanel({ known, now }: PlanPanelProps) {
  if (!known) return null;
  const { result, isOld } = known;
  if (!result.ok) {
    const { message, statusCode = 0 } = result.error;
    return EXPLAINED.includes(statusCode) && message !== '' && !isOld ? <Notice tone="yellow">{message}</Notice> : null;
  }
  const warnings = planWarnings(result.data);
  // Show one warning unfolded at most, since visitors skip several. A partial budget has its own notice.
  const unfolded = takesOnlyPart(result.data) ? 0 : 1;
  return (
    <section className={styles.plan} aria-busy={isOld} aria-label="Plan for your budget">
      <Surface>
        <p>{planHeadline(result.data, now)}</p>
        {warnings.slice(0, unfolded).map((warning) => (
          <Notice key={warning} tone="yellow">
            {warning}
          </Notice>
        ))}
        <PlanFigures plan={result.data} warnings={warnings.slice(unfolded)} />
      </Surface>
    </section>
  );
}

interface PlanFiguresProps {
  readonly plan: JobPlan;
  /** Shown folded with the figures. */
  readonly warnings: readonly string[];
}

function PlanFigures({ plan, warnings }: PlanFiguresProps) {
  return (
    <details className={styles.figures}>
      <summary>{warnings.length === 0 ? 'Figures' : `Figures, warnings: ${warnings.length}`}</summary>
      {warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
      <KeyValueList>
        {planLines(plan, moment).map(([name, value]) => (
          <KeyValue key={name} name={name}>
            {value}
          </KeyValue>
        ))}
      </KeyValueList>
      <p className={note}>
        These figures use the current pools and network fees. Other people's trades can change them. The limits of your
        job do not change.
      </p>
    </details>
  );
}
