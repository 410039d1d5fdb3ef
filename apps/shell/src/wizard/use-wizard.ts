import {
  advanceWizard,
  forgetUsedDrafts,
  initialWizard,
  type JobStore,
  LOADED_AHEAD,
  logQuietly,
  type OpenJob,
  STEP_FADE_MS,
  type WizardEvent,
  type WizardPlace,
  type WizardState,
} from '@maker/web-kit';
import { useCallback, useEffect, useReducer, useState } from 'react';
import { pageOf } from '../path.ts';
import { loadRemote } from '../remotes/load-remote.ts';
import type { KeptPlace } from './kept-place.ts';
import type { StepHistory } from './step-history.ts';

/** State and actions of the wizard for the page. */
export interface RunningWizard {
  readonly state: WizardState;
  readonly send: (event: WizardEvent) => void;
  readonly recentJobs: readonly OpenJob[];
}

/** Parameters of `useWizard`. */
export interface UseWizardParameters {
  readonly jobs: JobStore;
  readonly kept: KeptPlace;
  readonly steps: StepHistory;
  /** The place that this page load returns to. */
  readonly start?: WizardPlace | undefined;
}

/**
 * Runs the state machine: ends each fade after 300 ms, stores the visitor's jobs and the place for a reload, and loads
 * the next step's remote in advance.
 */
export function useWizard({ jobs, kept, steps, start }: UseWizardParameters): RunningWizard {
  const [state, dispatch] = useReducer(advanceWizard, start, initialWizard);
  const [recentJobs, setRecentJobs] = useState<readonly OpenJob[]>([]);
  const { place, next } = state;

  useEffect(() => {
    if (!next) return;
    if (next.step !== 'landing') loadAhead(next.step);
    const timer = setTimeout(() => dispatch({ type: 'fade_ended' }), STEP_FADE_MS);
    return () => clearTimeout(timer);
  }, [next]);

  useEffect(() => kept.keep(next ?? place), [kept, next, place]);

  useEffect(() => {
    if (pageOf(location.pathname) !== 'wizard') return;
    const moved = steps.missed();
    if (moved) dispatch({ type: 'history_moved', place: moved });
    else steps.record(next ?? place);
  }, [steps, next, place]);
  useEffect(() => {
    const move = () => {
      const arrived = pageOf(location.pathname) === 'wizard' ? steps.arrived() : undefined;
      if (arrived) dispatch({ type: 'history_moved', place: arrived });
    };
    window.addEventListener('popstate', move);
    return () => window.removeEventListener('popstate', move);
  }, [steps]);

  useEffect(() => {
    const following = LOADED_AHEAD[place.step];
    if (following) loadAhead(following);
    if (place.step === 'landing') setRecentJobs(jobs.recentJobs());
  }, [place, jobs]);

  useEffect(() => {
    if (place.step !== 'payment' || place.job.isShared) return;
    jobs.open(place.job);
    return () => jobs.close();
  }, [place, jobs]);

  const send = useCallback(
    (event: WizardEvent) => {
      // A created job is stored in any case: the visitor may send money to its address.
      if (event.type === 'job_created') jobs.open(event.job);
      if (event.type === 'started') forgetUsedDrafts();
      dispatch(event);
    },
    [jobs],
  );
  return { state, send, recentJobs };
}

/** Loads a step in advance. A failure is only logged: the step itself tries again and shows it. */
function loadAhead(step: Exclude<WizardPlace['step'], 'landing'>): void {
  loadRemote(step).catch((reason: unknown) => logQuietly(`Step '${step}' not loaded ahead`, reason));
}
