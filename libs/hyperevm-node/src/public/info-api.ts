import { isAddress } from 'viem';
import type { CoreLedger } from '../rules/core-ledger.ts';

/** An answer of HyperCore's API. */
export interface InfoAnswer {
  status: number;
  text: string;
}

const UNREADABLE: InfoAnswer = { status: 422, text: 'Failed to deserialize the JSON body into the target type' };

/**
 * HyperCore's info API, as far as somebody needs it who looks for HYPE that was sent on the wrong layer:
 * `spotClearinghouseState`. Source: hyperevm § 1.1.
 */
export function answerInfo(core: CoreLedger, body: string): InfoAnswer {
  let asked: { type?: unknown; user?: unknown } | null;
  try {
    asked = JSON.parse(body);
  } catch {
    return UNREADABLE;
  }
  const user = asked?.user;
  if (asked?.type !== 'spotClearinghouseState' || typeof user !== 'string' || !isAddress(user, { strict: false })) {
    return UNREADABLE;
  }
  return { status: 200, text: JSON.stringify(core.spotBalances(user)) };
}
