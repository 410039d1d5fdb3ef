import { isAddress } from 'viem';
import { type CoreLedger, CoreRefusal } from '../rules/core-ledger.ts';
import { amountOf, readSpotSend, refusalOf, senderOfSpotSend } from '../rules/spot-send.ts';

export interface CoreAnswer {
  status: number;
  text: string;
}

const UNREADABLE: CoreAnswer = { status: 422, text: 'Failed to deserialize the JSON body into the target type' };

/**
 * HyperCore's info API, only the request that shows HYPE sent on the wrong layer: `spotClearinghouseState`.
 * Source: hyperevm § 1.1.
 */
export function answerInfo(core: CoreLedger, body: string): CoreAnswer {
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

/** HyperCore's exchange API, only the request that sends such HYPE back: a signed `spotSend`. */
export function exchangeApi(core: CoreLedger, now: () => number): (body: string) => Promise<CoreAnswer> {
  const used = new Set<string>();
  return async (body) => {
    const request = readSpotSend(body);
    if (!request) return UNREADABLE;
    const refusal = refusalOf(request, now());
    if (refusal) return refused(refusal);
    const sender = await senderOfSpotSend(request);
    // A changed message recovers to an unknown signer, which has no balance.
    if (core.balanceWei(sender) === 0n) {
      return refused(`Must deposit before performing actions. User: ${sender.toLowerCase()}`);
    }
    const nonce = `${sender} ${request.nonce}`;
    if (used.has(nonce)) return refused(`Invalid nonce: duplicate nonce ${request.nonce}`);
    try {
      core.send(sender, request.action.destination, amountOf(request));
    } catch (error) {
      if (error instanceof CoreRefusal) return refused(error.message);
      throw error;
    }
    used.add(nonce);
    return { status: 200, text: JSON.stringify({ status: 'ok', response: { type: 'default' } }) };
  };
}

/** HyperCore rejects with HTTP 200. */
function refused(response: string): CoreAnswer {
  return { status: 200, text: JSON.stringify({ status: 'err', response }) };
}
