import type { AlertCase } from './alert-case.ts';

const FAILED = (step: string) => `maker_canary_failed_timestamp_seconds{namespace="n",step="${step}"}`;
const SUCCEEDED = 'maker_canary_succeeded_timestamp_seconds{namespace="n",round="small"}';
const INSTALLED = { 'maker_component_installed{namespace="n",component="canary"}': '1x200' };
/** Another canary's success must not count. */
const ELSEWHERE = { 'maker_canary_succeeded_timestamp_seconds{namespace="other",round="small"}': '0+60x200' };

/** Cases of the canary's alerts. A pod exposes its round for half a minute. */
export const CANARY_CASES: readonly AlertCase[] = [
  {
    alert: 'MakerCanaryFailing',
    fires: {
      series: { ...ELSEWHERE, [SUCCEEDED]: '_x8 480 _x1 0', [FAILED('detection')]: '_x11 660' },
      at: '12m',
      labels: { namespace: 'n', step: 'detection' },
      says: "The canary's job did not pass the step 'detection' in time. Jobs of visitors may fail there too.",
    },
    lasts: { [SUCCEEDED]: '0x1', [FAILED('detection')]: '0+60x1' },
    // The next round succeeded.
    silent: {
      series: { [SUCCEEDED]: '_x8 480 _x1 0 _x1 780', [FAILED('detection')]: '_x11 660' },
      at: '14m',
    },
    absent: { series: { [SUCCEEDED]: '_x8 480' }, at: '12m', fires: false },
  },
  {
    alert: 'MakerCanaryFailing',
    because: 'a whole round succeeded as well',
    fires: {
      series: {
        [SUCCEEDED]: '0x20',
        [SUCCEEDED.replace('small', 'whole')]: '_x4 240',
        [FAILED('fee')]: '_x6 360',
      },
      at: '8m',
      labels: { namespace: 'n', step: 'fee' },
      says: "The canary's job did not pass the step 'fee' in time. Jobs of visitors may fail there too.",
    },
    lasts: { [SUCCEEDED]: '0x1', [FAILED('fee')]: '0+60x1' },
    silent: {
      series: { [SUCCEEDED]: '0x20', [SUCCEEDED.replace('small', 'whole')]: '_x7 420', [FAILED('fee')]: '_x6 360' },
      at: '8m',
    },
    absent: { series: ELSEWHERE, at: '12m', fires: false },
  },
  {
    alert: 'MakerCanaryOverdue',
    fires: {
      series: { ...INSTALLED, ...ELSEWHERE, [SUCCEEDED]: '60 _x3 0x3' },
      at: '12m',
      labels: { namespace: 'n' },
      says: 'Canary rounds fail, or the canary does not run. Visitors who pay now may wait too.',
    },
    // Failed rounds, and one success.
    silent: { series: { ...INSTALLED, [SUCCEEDED]: '60 _x3 0x3 _x1 540' }, at: '13m' },
    // No round runs at all.
    absent: { series: { ...INSTALLED, ...ELSEWHERE }, at: '30m', fires: true },
  },
  {
    alert: 'MakerCanaryOverdue',
    because: 'none has ever succeeded',
    fires: {
      series: { ...INSTALLED, [SUCCEEDED]: '_x10 0x20' },
      at: '20m',
      labels: { namespace: 'n' },
      says: 'Canary rounds fail, or the canary does not run. Visitors who pay now may wait too.',
    },
    // Installed a minute ago.
    silent: {
      series: { 'maker_component_installed{namespace="n",component="canary"}': '_x18 1x3', [SUCCEEDED]: '_x18 0x3' },
      at: '20m',
    },
    // Disabled: its last round is still there.
    absent: { series: { [SUCCEEDED]: '60' }, at: '12m', fires: false },
  },
];
