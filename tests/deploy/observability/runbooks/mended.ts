import { until } from '../../../support/until.ts';
import { type FilledIn, type RunbookStage, SOON } from './runbook-stage.ts';

/** The job that the fault held up trades on. */
export const tradesOn = (stage: RunbookStage, { JOB = '' }: FilledIn): Promise<void> => stage.tradesOn(JOB);

/** A new job is taken, paid and traded. */
export async function tradesAgain(stage: RunbookStage): Promise<void> {
  await stage.startTrading();
}

/** A token is validated, by and by. */
export async function answersAgain({ product, stack }: RunbookStage): Promise<void> {
  const ask = () => product.validate(stack.tokens.v3Only).catch(() => undefined);
  await until('an answer', ask, (answer) => answer !== undefined, SOON);
}
