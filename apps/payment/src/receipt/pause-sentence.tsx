import type { PauseReason } from '@maker/rules';

/** The reason of a job's pause, as the rest of a sentence that begins with 'Paused'. Source: design §§ 2.4 and 4. */
export default function PauseSentence({ reason }: { readonly reason: PauseReason }) {
  return <span>{`: ${SENTENCES[reason]}`}</span>;
}

const SENTENCES: Readonly<Record<PauseReason, string>> = {
  gas_guardrail: 'network fees are above 10 gwei. The job resumes when they are at or below 10 gwei',
  price_band:
    'the price is too far above the price you saw before you paid. The job resumes when it is lower. It does not buy to support the price',
  thin_liquidity: 'there is too little liquidity for a fair price. The job resumes when there is enough',
  purchase_refused:
    'the token or its pool refuses the orders. It may limit how much one wallet holds or how often it trades. After one hour of refusals the job ends, and the unspent HYPE is returned',
  capacity:
    'other jobs use all the capacity. The job starts when there is room. If there is none until its published end, everything is returned without a fee',
  ledger_drift: 'the service is comparing the balance of the job with the chain. It sends nothing until they match',
  operator: 'an operator paused the job. Contact support if this lasts',
};
