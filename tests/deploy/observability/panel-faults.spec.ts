import { describe, expect, it } from 'vitest';
import type { Answer } from './board-answers.ts';
import { faultsOf, levelOf } from './panel-faults.ts';

const line = (...values: string[]): Answer => ({ metric: {}, values: values.map((value, at) => [at, value]) });
const figure = (value: string): Answer => ({ metric: {}, value: [0, value] });

describe('a drawn panel', () => {
  it.each([
    ['no answer at all', 'stat', [[]], ['shows no data']],
    ['a quotient of nothing', 'stat', [[figure('NaN')]], ['shows no data']],
    ['thirteen lines', 'timeseries', [Array.from({ length: 13 }, () => line('1'))], ['has 13 lines']],
    ['lines that are all 0', 'timeseries', [[line('0', '0')], [line('NaN')]], ['has an axis that is all 0']],
    ['a figure that is 0', 'stat', [[figure('0')]], []],
    ['a line that rises', 'timeseries', [[line('0', '1')]], []],
  ])('with %s', (_with, type, answers, faults) => {
    expect(faultsOf({ type }, answers)).toEqual(faults);
  });
});

describe('the colour of a figure', () => {
  const steps = [
    { color: 'green', value: null },
    { color: 'orange', value: 5 },
    { color: 'red', value: 30 },
  ];
  const lag = { type: 'stat', fieldConfig: { defaults: { noValue: 'no data', thresholds: { steps } } } };

  it.each([
    ['4', 'green'],
    ['5', 'orange'],
    ['31', 'red'],
  ] as const)('of %s is %s', (value, colour) => {
    expect(levelOf(lag, [[figure(value)]])).toBe(colour);
  });

  it('is red without a value', () => {
    expect(levelOf(lag, [[]])).toBe('red');
  });
});
