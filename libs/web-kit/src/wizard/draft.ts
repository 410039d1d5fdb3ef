import { attempt } from '../attempt.ts';
import type { OpenJob } from './open-job.ts';

const PREFIX = 'hyperevm-maker.draft.';

/** Step whose input is kept, and the job created from it. */
export type DraftName = 'token' | 'amount' | 'job';

/**
 * The visitor's input on a step, kept in this tab across reloads and changes of step.
 * @returns undefined if there is none; of unknown type, since another version of the page may have written it
 */
export function readDraft(name: DraftName): unknown {
  return attempt(() => JSON.parse(sessionStorage.getItem(PREFIX + name) ?? 'null')) ?? undefined;
}

/** Keeps a step's input in this tab, for Back, Forward and reloads, also for a new deployment. @param draft plain JSON */
export function keepDraft(name: DraftName, draft: unknown): void {
  attempt(() => sessionStorage.setItem(PREFIX + name, JSON.stringify(draft)));
}

/**
 * Keeps the choices of a job as the input of another one; the token is validated anew, and the terms are not accepted.
 * @param returnAddress as the payer named it; empty for another payer's job
 */
export function keepChoices({ token, paymentAmountWei }: OpenJob, returnAddress: string): void {
  keepDraft('token', token.tokenAddress);
  keepDraft('amount', { budgetWei: paymentAmountWei, returnAddress });
  keepDraft('job', null);
}

/** Deletes all drafts after a job was created from them: the visitor starts again. */
export function forgetUsedDrafts(): void {
  if (!readDraft('job')) return;
  for (const name of ['token', 'amount', 'job'] satisfies DraftName[]) keepDraft(name, null);
}
