import { KeyValue, KeyValueList, Notice, Surface } from '@maker/ui';
import { note } from '../note.module.css';
import * as styles from './plan-panel.module.css';
import { planLines, planWarnings } from './plan-text.ts';
import type { KnownPlan } from './use-plan.ts';

const MOMENT = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
});
const moment = (iso: string) => MOMENT.format(new Date(iso));

/** The server says in a sentence why no job of this amount is taken; any other failure is no news for a visitor. */
const TELLING = [422, 503];

/** What the chosen budget would do, quietly: where it is not known, nothing stands here, and the step goes on without it. */
export function PlanPanel({ known }: { readonly known: KnownPlan | undefined }) {
  if (!known) return null;
  const { result, isOld } = known;
  if (!result.ok) {
    const { message, statusCode = 0 } = result.error;
    return TELLING.includes(statusCode) && message !== '' && !isOld ? <Notice tone="yellow">{message}</Notice> : null;
  }
  const warnings = planWarnings(result.data);
  return (
    <div className={styles.plan} aria-busy={isOld}>
      <Surface title="What your budget does">
        <KeyValueList>
          {planLines(result.data, moment).map(({ name, value }) => (
            <KeyValue key={name} name={name}>
              {value}
            </KeyValue>
          ))}
        </KeyValueList>
        {warnings.length > 0 && (
          <Notice tone="yellow">
            {warnings.map((warning) => (
              <p key={warning}>{warning}</p>
            ))}
          </Notice>
        )}
        <p className={note}>
          As the pools and network fees stand now. Other people's trades change it; your limits hold whatever they do.
        </p>
      </Surface>
    </div>
  );
}
