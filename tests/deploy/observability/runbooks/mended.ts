import { until } from '../../../support/until.ts';
import { type FilledIn, type RunbookStage, SOON } from './runbook-stage.ts';

/** The job trades again after the fault. */
export const tradesOn = (stage: RunbookStage, { JOB = '' }: FilledIn): Promise<void> => stage.tradesOn(JOB);

/** A new job can be created, paid and traded. */
export async function tradesAgain(stage: RunbookStage): Promise<void> {
  await stage.startTrading();
}

/** Validation of a token succeeds again. */
export async function answersAgain({ product, stack }: RunbookStage): Promise<void> {
  const ask = () => product.validate(stack.tokens.v3Only).catch(() => undefined);
  await until('an answer', ask, (answer) => answer !== undefined, SOON);
}
