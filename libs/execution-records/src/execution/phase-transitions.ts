import type { ExecutionPhase } from './execution.ts';

/** Every allowed change of phase and its cause; `Tick` refuses any other. Source: design § 5 'Phases of an execution'. */
export const PHASE_TRANSITIONS: readonly Readonly<Record<'from' | 'to', ExecutionPhase> & { when: string }>[] = [
  { from: 'fee', to: 'trading', when: 'the fee is final' },
  { from: 'fee', to: 'delivery', when: 'the treasury refuses the fee, or trading is over before it is paid' },
  { from: 'fee', to: 'failed', when: 'the chain does not show the payment as reported; or as for `trading`' },
  { from: 'trading', to: 'delivery', when: 'the budget is spent, or trading may not go on' },
  { from: 'trading', to: 'completed', when: 'the latest end comes after an order was placed' },
  { from: 'trading', to: 'failed', when: 'the latest end comes, or the job is cancelled while its wallet is stopped' },
  { from: 'delivery', to: 'return', when: 'the tokens are delivered, or held with a reason' },
  { from: 'delivery', to: 'completed', when: 'the latest end comes after trading completed' },
  { from: 'delivery', to: 'failed', when: 'the latest end comes after trading failed' },
  { from: 'return', to: 'completed', when: 'the rest is returned or held, after trading completed' },
  { from: 'return', to: 'failed', when: 'the rest is returned or held, after trading failed' },
  { from: 'return', to: 'never_ran', when: 'released money of a job that was never active is sent or held' },
  { from: 'delivery', to: 'never_ran', when: 'the wallet is stopped, and the job is cancelled or its time is over' },
  { from: 'completed', to: 'delivery', when: 'operators release what is held' },
  { from: 'failed', to: 'delivery', when: 'operators release what is held' },
  { from: 'never_ran', to: 'delivery', when: 'operators release what is held' },
  { from: 'refused', to: 'delivery', when: 'operators return what is held, and the wallet is of the seed again' },
  { from: 'refused', to: 'never_ran', when: 'the same, for a job that was never active' },
];

/** @throws Error if the change of phase is not allowed */
export function assertTransition(from: ExecutionPhase, to: ExecutionPhase): void {
  if (PHASE_TRANSITIONS.some((transition) => transition.from === from && transition.to === to)) return;
  throw new Error(`An execution never goes from '${from}' to '${to}'`);
}
