import type { PauseReason } from '@maker/rules';

const TEXTS: Readonly<Record<PauseReason, string>> = {
  gas_guardrail: 'network fees are above 10 gwei. It goes on as soon as they are at or below it',
  price_band:
    'the price stands too far above the one you saw before paying. It buys at the market and does not hold a price up',
  thin_liquidity: 'there is too little liquidity for a fair price. It goes on when liquidity is back',
  ledger_drift: 'the books and the chain are being compared. Nothing is sent until they agree',
  operator: 'an operator paused the job. Contact support if this lasts',
};

/** Why a job waits, as the rest of a sentence that begins with 'Paused: '. Source: design §§ 2.4 and 4. */
export function pauseText(reason: PauseReason): string {
  return TEXTS[reason];
}
