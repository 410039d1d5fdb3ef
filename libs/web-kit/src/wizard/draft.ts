import { logQuietly } from '../log-quietly.ts';

const PREFIX = 'hyperevm-maker.draft.';

/** Step whose typed text is kept. */
export type DraftName = 'token' | 'amount';

/**
 * What the visitor typed on a step before this tab was reloaded, or the step was left.
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

/** Keeps what is typed in this tab, for a reload by the visitor or for a new deployment. @param draft plain JSON */
export function keepDraft(name: DraftName, draft: unknown): void {
  try {
    sessionStorage.setItem(PREFIX + name, JSON.stringify(draft));
  } catch (error) {
    logQuietly('What is typed is not kept', error);
  }
}

/** Forgets all of it: a job was made from it. */
export function forgetDrafts(): void {
  for (const name of ['token', 'amount'] satisfies DraftName[]) keepDraft(name, null);
}
