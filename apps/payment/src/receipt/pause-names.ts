import type { PauseReason } from '@maker/rules';

/** The reason of a job's pause, as a line of the list of pauses. Source: design §§ 2.4 and 4. */
export const PAUSE_NAMES: Readonly<Record<PauseReason, string>> = {
  gas_guardrail: 'Network fees above 10 gwei',
  price_band: 'Price too far above the price you saw',
  thin_liquidity: 'Too little liquidity for a fair price',
  purchase_refused: 'The token or its pool refused the orders',
  capacity: 'Waiting for other jobs to end',
  ledger_drift: 'Balance check',
  operator: 'Paused by an operator',
};
