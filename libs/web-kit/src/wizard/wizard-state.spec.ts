import { describe, expect, it } from 'vitest';
import type { OpenJob, ValidatedToken } from './open-job.ts';
import { advanceWizard, initialWizard, isWizardPlace, type WizardEvent, type WizardState } from './wizard-state.ts';

const token: ValidatedToken = {
  tokenAddress: '0x1234567890123456789012345678901234567890',
  liquidityStatus: { meetsMinimum: true, hasV2: true, hasV3: false },
};
const job: OpenJob = {
  jobId: 'job_0123456789abcdef0123456789abcdef',
  token,
  paymentAddress: '0x00000000000000000000000000000000000000aa',
  paymentAmountWei: '500000000000000000',
  paymentDeadline: '2026-01-01T00:15:00.000Z',
  createdAt: '2026-01-01T00:00:00.000Z',
};

/** Applies events, each followed by the end of its fade. */
function walk(state: WizardState, ...events: WizardEvent[]): WizardState {
  return events.reduce((at, event) => advanceWizard(advanceWizard(at, event), { type: 'fade_ended' }), state);
}

const forward: WizardEvent[] = [{ type: 'started' }, { type: 'token_validated', token }, { type: 'job_created', job }];

describe('wizard', () => {
  it('goes landing, token, amount, payment (specification § 2)', () => {
    expect(initialWizard().place.step).toBe('landing');
    expect(walk(initialWizard(), ...forward.slice(0, 1)).place).toEqual({ step: 'token' });
    expect(walk(initialWizard(), ...forward.slice(0, 2)).place).toEqual({ step: 'amount', token });
    expect(walk(initialWizard(), ...forward).place).toEqual({ step: 'payment', job });
  });

  it('goes back one step', () => {
    const atPayment = walk(initialWizard(), ...forward);
    expect(walk(atPayment, { type: 'went_back' }).place).toEqual({ step: 'amount', token });
    expect(walk(atPayment, { type: 'went_back' }, { type: 'went_back' }).place).toEqual({ step: 'token' });
    const atLanding = walk(atPayment, { type: 'went_back' }, { type: 'went_back' }, { type: 'went_back' });
    expect(atLanding.place).toEqual({ step: 'landing' });
    expect(advanceWizard(atLanding, { type: 'went_back' })).toBe(atLanding);
  });

  it.each([1, 2, 3])('returns to the landing from step %i', (steps) => {
    expect(walk(initialWizard(), ...forward.slice(0, steps), { type: 'went_home' }).place.step).toBe('landing');
  });

  it('keeps the shown step while it fades', () => {
    const fading = advanceWizard(initialWizard(), { type: 'started' });
    expect(fading).toEqual({ place: { step: 'landing' }, next: { step: 'token' } });
  });

  it('ignores a second click while fading, but not the logo', () => {
    const fading = advanceWizard(walk(initialWizard(), { type: 'started' }), { type: 'token_validated', token });
    expect(advanceWizard(fading, { type: 'token_validated', token })).toBe(fading);
    expect(advanceWizard(fading, { type: 'went_back' })).toBe(fading);
    expect(advanceWizard(fading, { type: 'went_home' }).next).toEqual({ step: 'landing' });
  });

  it('ignores events of a step that is no longer shown', () => {
    const atLanding = initialWizard();
    for (const event of forward.slice(1)) expect(advanceWizard(atLanding, event)).toBe(atLanding);
    expect(advanceWizard(atLanding, { type: 'fade_ended' })).toBe(atLanding);
    expect(advanceWizard(atLanding, { type: 'went_home' })).toBe(atLanding);
  });

  it('restores the open job and its amount step', () => {
    expect(initialWizard({ step: 'payment', job }).place).toEqual({ step: 'payment', job });
    expect(walk(initialWizard({ step: 'payment', job }), { type: 'went_back' }).place).toEqual({
      step: 'amount',
      token,
    });
  });

  it('follows Back and Forward amid a fade', () => {
    const atAmount = walk(initialWizard(), ...forward.slice(0, 2));
    expect(walk(atAmount, { type: 'history_moved', place: { step: 'token' } }).place).toEqual({ step: 'token' });
    const fading = advanceWizard(atAmount, { type: 'went_back' });
    expect(advanceWizard(fading, { type: 'history_moved', place: { step: 'landing' } }).next?.step).toBe('landing');
  });

  it('leads a shared job to the token', () => {
    const shared = initialWizard({ step: 'payment', job: { ...job, isShared: true } });
    expect(walk(shared, { type: 'went_back' }).place).toEqual({ step: 'token' });
  });

  it('gives a linked job the power of its code', () => {
    const shared = initialWizard({ step: 'payment', job: { ...job, isShared: true } });
    const privateCode = `stop_${'a'.repeat(32)}`;
    expect(advanceWizard(shared, { type: 'code_entered', privateCode }).place).toEqual({
      step: 'payment',
      job: { ...job, stopSecret: privateCode, isCodeTyped: true },
    });
    const atToken = walk(initialWizard(), { type: 'started' });
    expect(advanceWizard(atToken, { type: 'code_entered', privateCode })).toBe(atToken);
  });

  it('repeats a job from its payment step only', () => {
    expect(walk(initialWizard({ step: 'payment', job }), { type: 'repeated' }).place).toEqual({ step: 'token' });
    const atLanding = initialWizard();
    expect(advanceWizard(atLanding, { type: 'repeated' })).toBe(atLanding);
  });

  it('reopens an earlier job from the landing only', () => {
    expect(walk(initialWizard(), { type: 'job_reopened', job }).place).toEqual({ step: 'payment', job });
    const atToken = walk(initialWizard(), { type: 'started' });
    expect(advanceWizard(atToken, { type: 'job_reopened', job })).toBe(atToken);
  });
});

describe('a stored place of the wizard', () => {
  it.each([{ step: 'landing' }, { step: 'token' }, { step: 'amount', token }, { step: 'payment', job }])(
    'is recognised: $step',
    (place) => {
      expect(isWizardPlace(JSON.parse(JSON.stringify(place)))).toBe(true);
    },
  );

  it.each([
    undefined,
    null,
    'token',
    {},
    { step: 'elsewhere' },
    { step: 'amount' },
    { step: 'amount', token: { tokenAddress: token.tokenAddress } },
    { step: 'payment', job: { ...job, paymentAmountWei: '0.5' } },
  ])('is rejected without its step’s needs: %j', (place) => {
    expect(isWizardPlace(place)).toBe(false);
  });
});
