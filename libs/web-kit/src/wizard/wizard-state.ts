import { isOpenJob, isValidatedToken, type OpenJob, type ValidatedToken } from './open-job.ts';

/** How long a step fades out before the next one replaces it, ms. Source: specification § 9. */
export const STEP_FADE_MS = 300;

/** A step of the wizard with the data that it needs. */
export type WizardPlace =
  | { readonly step: 'landing' }
  | { readonly step: 'token' }
  | { readonly step: 'amount'; readonly token: ValidatedToken }
  | { readonly step: 'payment'; readonly job: OpenJob };

/** Where the visitor is. */
export interface WizardState {
  readonly place: WizardPlace;
  /** While `place` fades out: the next place. */
  readonly next?: WizardPlace;
}

/** Events of the wizard. Source: specification § 4 'Wizard step transitions'. */
export type WizardEvent =
  | { readonly type: 'started' }
  | { readonly type: 'token_validated'; readonly token: ValidatedToken }
  | { readonly type: 'job_created'; readonly job: OpenJob }
  /** The visitor opened a job of an earlier visit from the landing. */
  | { readonly type: 'job_reopened'; readonly job: OpenJob }
  /** The payer entered the private code of the shown job. */
  | { readonly type: 'code_entered'; readonly privateCode: string }
  /** The visitor wants another job with the token of the shown one. */
  | { readonly type: 'repeated' }
  | { readonly type: 'went_back' }
  | { readonly type: 'went_home' }
  /** From Back or Forward of the browser. */
  | { readonly type: 'history_moved'; readonly place: WizardPlace }
  | { readonly type: 'fade_ended' };

const LANDING: WizardPlace = { step: 'landing' };

/** The wizard at page load. @param place that the visitor returns to; default: the landing */
export function initialWizard(place: WizardPlace = LANDING): WizardState {
  return { place };
}

/** Whether a stored value is a place of the wizard with all data that its step needs. */
export function isWizardPlace(value: unknown): value is WizardPlace {
  if (typeof value !== 'object' || value === null) return false;
  const { step, token, job } = value as { step?: unknown; token?: unknown; job?: unknown };
  if (step === 'amount') return isValidatedToken(token);
  if (step === 'payment') return isOpenJob(job);
  return step === 'landing' || step === 'token';
}

/**
 * The wizard's state machine. An event that does not belong to the shown step changes nothing (it returns the same state),
 * so that a late answer or a double click cannot move a visitor who has left the step.
 */
export function advanceWizard(state: WizardState, event: WizardEvent): WizardState {
  if (event.type === 'fade_ended') return state.next ? { place: state.next } : state;
  if (state.next && event.type !== 'went_home' && event.type !== 'history_moved') return state;
  if (event.type === 'code_entered') return withCode(state, event.privateCode);
  const next = destination(state.place, event);
  if (!next || next.step === (state.next ?? state.place).step) return state;
  return { place: state.place, next };
}

/** The same step with the power of the code: the job is then one of this browser's. */
function withCode(state: WizardState, stopSecret: string): WizardState {
  if (state.place.step !== 'payment') return state;
  const { isShared: _, ...job } = state.place.job;
  return { place: { step: 'payment', job: { ...job, stopSecret, isCodeTyped: true } } };
}

function destination(
  place: WizardPlace,
  event: Exclude<WizardEvent, { type: 'code_entered' }>,
): WizardPlace | undefined {
  switch (event.type) {
    case 'started':
      return place.step === 'landing' ? { step: 'token' } : undefined;
    case 'token_validated':
      return place.step === 'token' ? { step: 'amount', token: event.token } : undefined;
    case 'job_created':
      return place.step === 'amount' ? { step: 'payment', job: event.job } : undefined;
    case 'job_reopened':
      return place.step === 'landing' ? { step: 'payment', job: event.job } : undefined;
    case 'repeated':
      return place.step === 'payment' ? { step: 'token' } : undefined;
    case 'went_back':
      return previous(place);
    case 'went_home':
      return LANDING;
    case 'history_moved':
      return event.place;
    case 'fade_ended':
      return undefined;
  }
}

/** The step whose remote the page loads in advance while another is shown; it loads none before START. */
export const LOADED_AHEAD = { landing: undefined, token: 'amount', amount: 'payment', payment: undefined } as const;

/** The step before, in the order landing, token, amount, payment. */
function previous(place: WizardPlace): WizardPlace | undefined {
  switch (place.step) {
    case 'landing':
      return undefined;
    case 'token':
      return LANDING;
    case 'amount':
      return { step: 'token' };
    case 'payment':
      // The token of a shared link was not validated here.
      return place.job.isShared ? { step: 'token' } : { step: 'amount', token: place.job.token };
  }
}
