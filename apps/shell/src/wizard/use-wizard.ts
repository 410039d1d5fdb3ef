import {
  advanceWizard,
  initialWizard,
  type JobStore,
  logQuietly,
  type OpenJob,
  STEP_FADE_MS,
  type WizardEvent,
  type WizardPlace,
  type WizardState,
} from '@maker/web-kit';
import { useCallback, useEffect, useReducer, useState } from 'react';
import { loadRemote } from '../remotes/load-remote.ts';

/** The wizard as the page uses it. */
export interface RunningWizard {
  readonly state: WizardState;
  readonly send: (event: WizardEvent) => void;
  readonly recentJobs: readonly OpenJob[];
}

/** The step whose remote is worth loading while this one is shown. */
const FOLLOWING = { landing: undefined, token: 'amount', amount: 'payment', payment: undefined } as const;

/**
 * Runs the state machine: ends each fade after 300 ms, keeps the visitor's jobs in the store, loads the next step's
 * remote ahead. @param start where this page load returns to
 */
export function useWizard(store: JobStore, start: WizardPlace | undefined): RunningWizard {
  const [state, dispatch] = useReducer(advanceWizard, start, initialWizard);
  const [recentJobs, setRecentJobs] = useState<readonly OpenJob[]>([]);
  const { place, next } = state;

  useEffect(() => {
    if (!next) return;
    if (next.step !== 'landing') loadAhead(next.step);
    const timer = setTimeout(() => dispatch({ type: 'fade_ended' }), STEP_FADE_MS);
    return () => clearTimeout(timer);
  }, [next]);

  useEffect(() => {
    const following = FOLLOWING[place.step];
    if (following) loadAhead(following);
    if (place.step === 'landing') setRecentJobs(store.recentJobs());
  }, [place, store]);

  useEffect(() => {
    if (place.step !== 'payment') return;
    store.open(place.job);
    return () => store.close();
  }, [place, store]);

  const send = useCallback(
    (event: WizardEvent) => {
      // A created job is kept whatever the visitor does meanwhile: money may be sent to its address.
      if (event.type === 'job_created') store.open(event.job);
      dispatch(event);
    },
    [store],
  );
  return { state, send, recentJobs };
}

/** A failure here is no news yet: the step itself tries again and says so. */
function loadAhead(step: Exclude<WizardPlace['step'], 'landing'>): void {
  loadRemote(step).catch((reason: unknown) => logQuietly(`The step '${step}' could not be loaded ahead`, reason));
}
