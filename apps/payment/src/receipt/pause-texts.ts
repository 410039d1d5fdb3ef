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
    sentence: 'network fees are above 10 gwei. The job resumes when they are at or below 10 gwei',
  },
  price_band: {
    name: 'Price too far above the price you saw',
    sentence:
      'the price is too far above the price you saw before you paid. The job resumes when it is lower. It does not buy to support the price',
  },
  thin_liquidity: {
    name: 'Too little liquidity for a fair price',
    sentence: 'there is too little liquidity for a fair price. The job resumes when there is enough',
  },
  purchase_refused: {
    name: 'The token or its pool refused the orders',
    sentence:
      'the token or its pool refuses the orders. It may limit how much one wallet holds or how often it trades. After one hour of refusals the job ends, and the unspent HYPE is returned',
  },
  capacity: {
    name: 'Waiting for other jobs to end',
    sentence:
      'other jobs use all the capacity. The job starts when there is room. If there is none until its published end, everything is returned without a fee',
  },
  ledger_drift: {
    name: 'Balance check',
    sentence: 'the service is comparing the balance of the job with the chain. It sends nothing until they match',
  },
  operator: {
    name: 'Paused by an operator',
    sentence: 'an operator paused the job. Contact support if this lasts',
  },
};
