import { describe, expect, it } from 'vitest';
import { filesToRunAgain, judgeSecondRun } from './second-run.ts';

const results = (passed: number, ...failed: string[]) => ({ passed, skipped: 0, failed });
const [PAYS, REFUNDS] = ['tests/system/a.spec.ts › pays', 'tests/system/a.spec.ts › refunds'];

describe('filesToRunAgain', () => {
  it('names each red file once', () => {
    expect(filesToRunAgain(results(1, PAYS, REFUNDS, 'libs/b.spec.ts › adds'))).toEqual([
      'tests/system/a.spec.ts',
      'libs/b.spec.ts',
    ]);
  });

  it.each([
    ['too many files', ['libs/a', 'libs/b', 'libs/c', 'libs/d'].map((file) => `${file} › fails`)],
    ['a run that did not finish', [PAYS, 'chaos › ended with exit code 1']],
    ['nothing', []],
  ])('names none after %s', (_, failed) => {
    expect(filesToRunAgain(results(1, ...failed))).toEqual([]);
  });
});

describe('judgeSecondRun', () => {
  it('counts a test as passed that passes by itself', () => {
    expect(judgeSecondRun(results(5, PAYS, REFUNDS), results(1, REFUNDS))).toEqual({
      ...results(6, REFUNDS),
      notes: [`~ ${PAYS}: failed, then passed by itself`],
    });
  });

  it.each([
    ['whose file did not load', 'tests/system/a.spec.ts › the whole file'],
    ['that did not finish', 'specs › ended with exit code 1'],
    ['in which another test fails', 'tests/system/a.spec.ts › stops'],
  ])('keeps the first result after a run %s', (_, failed) => {
    const first = results(5, PAYS);
    expect(judgeSecondRun(first, results(0, failed))).toEqual({ ...first, notes: [] });
  });
});
