import { logQuietly } from './log-quietly.ts';

/** Logs what a browser refused by throwing. */
export function logRefusal(error: unknown): void {
  logQuietly('The browser refused', error);
}

/**
 * Runs what a browser may refuse by throwing: storage, history, channels, notifications. A page must work without them, so a
 * refusal is only logged. @returns undefined after a refusal
 */
export function attempt<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch (error) {
    logRefusal(error);
    return undefined;
  }
}
