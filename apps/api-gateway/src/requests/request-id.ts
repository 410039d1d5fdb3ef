import { randomUUID } from 'node:crypto';

const WELL_FORMED = /^[A-Za-z0-9][A-Za-z0-9._-]{7,63}$/;

/**
 * Id of a request: the caller's own if it is safe to log and pass on (8 to 64 letters, digits, '.', '_' or '-'),
 * otherwise a new one.
 * @param isApiKey whether a text is a valid API key: a client's mistake must not write it into every log
 */
export function requestIdOf(presented: string | string[] | undefined, isApiKey: (text: string) => boolean): string {
  const isSafe = typeof presented === 'string' && WELL_FORMED.test(presented) && !isApiKey(presented);
  return isSafe ? presented : randomUUID();
}
