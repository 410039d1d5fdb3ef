import { logQuietly } from './log-quietly.ts';

/**
 * Runs what a browser may refuse by throwing: storage, history, channels, notifications. A page must work without them, so a
 * refusal is only logged. @param what the failure, for the log @returns undefined after a refusal
 */
export function attempt<Result>(what: string, action: () => Result): Result | undefined {
  try {
    return action();
  } catch (error) {
    logQuietly(what, error);
    return undefined;
  }
}
