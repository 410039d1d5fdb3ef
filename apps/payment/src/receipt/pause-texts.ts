import type { PauseReason } from '@maker/rules';

interface PauseTexts {
  /** A line of the list of pauses. */
  readonly name: string;
  /** The rest of a sentence that begins with 'Paused: '. */
  readonly sentence: string;
}

/** Texts for the reason of a job's pause. Source: design §§ 2.4 and 4. */
export const PAUSE_TEXTS: Readonly<Record<PauseReason, PauseTexts>> = {
  gas_guardrail: {
    name: 'Network fees above 10 gwei',
    sentence: 'network fees are above 10 gwei. It goes on as soon as they are at or below it',
  },
  price_band: {
    name: 'Price too far above the one you saw',
    sentence:
      'the price stands too far above the one you saw before paying. It buys at the market and does not hold a price up',
  },
  thin_liquidity: {
    name: 'Too little liquidity for a fair price',
    sentence: 'there is too little liquidity for a fair price. It goes on when liquidity is back',
  },
  purchase_refused: {
    name: 'The token or its pool refused the purchase',
    sentence:
      'the token or its pool refuses the purchase. It may limit what one wallet holds, or how often it trades. After an hour of refusals the job ends, and the rest comes back',
  },
  ledger_drift: {
    name: 'Books and chain compared',
    sentence: 'the books and the chain are being compared. Nothing is sent until they agree',
  },
  operator: {
    name: 'Paused by an operator',
    sentence: 'an operator paused the job. Contact support if this lasts',
  },
};
