import { logQuietly } from '../log-quietly.ts';

const PREFIX = 'hyperevm-maker.draft.';

/** Step whose input is kept, and the job that was made of it. */
export type DraftName = 'token' | 'amount' | 'job';

/**
 * What the visitor entered on a step before this tab was reloaded, or the step was left.
 * @returns undefined where nothing is kept; another version of the page may have written anything
 */
export function readDraft(name: DraftName): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + name) ?? 'null') ?? undefined;
  } catch (error) {
    logQuietly('What was typed before is not known', error);
    return undefined;
  }
}

/** Keeps what is entered in this tab, for Back, Forward and a reload by the visitor or for a new deployment. @param draft plain JSON */
export function keepDraft(name: DraftName, draft: unknown): void {
  try {
    sessionStorage.setItem(PREFIX + name, JSON.stringify(draft));
  } catch (error) {
    logQuietly('What is typed is not kept', error);
  }
}

/** Forgets all of it where a job was made of it: the visitor begins anew. */
export function forgetUsedDrafts(): void {
  if (!readDraft('job')) return;
  for (const name of ['token', 'amount', 'job'] satisfies DraftName[]) keepDraft(name, null);
}
