import { type CoreLedger, CoreRefusal } from '../rules/core-ledger.ts';
import { amountOf, readSpotSend, refusalOf, senderOfSpotSend } from '../rules/spot-send.ts';
import type { InfoAnswer } from './info-api.ts';

/** HyperCore's exchange API, as far as somebody needs it who sends HYPE back that came on the wrong layer: a signed `spotSend`. */
export class ExchangeApi {
  private readonly core: CoreLedger;
  private readonly now: () => number;
  private readonly used = new Set<string>();

  constructor(core: CoreLedger, now: () => number) {
    this.core = core;
    this.now = now;
  }

  async answer(body: string): Promise<InfoAnswer> {
    const request = readSpotSend(body);
    if (!request) return { status: 422, text: 'Failed to deserialize the JSON body into the target type' };
    const refusal = refusalOf(request, this.now());
    if (refusal) return refused(refusal);
    const sender = await senderOfSpotSend(request);
    // What was signed otherwise has a signer that nobody knows.
    if (this.core.balanceWei(sender) === 0n) {
      return refused(`Must deposit before performing actions. User: ${sender.toLowerCase()}`);
    }
    const nonce = `${sender} ${request.nonce}`;
    if (this.used.has(nonce)) return refused(`Invalid nonce: duplicate nonce ${request.nonce}`);
    try {
      this.core.send(sender, request.action.destination, amountOf(request));
    } catch (error) {
      if (error instanceof CoreRefusal) return refused(error.message);
      throw error;
    }
    this.used.add(nonce);
    return { status: 200, text: JSON.stringify({ status: 'ok', response: { type: 'default' } }) };
  }
}

/** HyperCore refuses with HTTP 200. */
function refused(response: string): InfoAnswer {
  return { status: 200, text: JSON.stringify({ status: 'err', response }) };
}
