import { describe, expect, it } from 'vitest';
import { commandToRepeat, selectTests, titlePattern } from './select-tests.ts';

const TEXTS: Readonly<Record<string, string>> = {
  'libs/rules/src/fees.spec.ts': "it('rounds the fee down'",
  'libs/rules/src/plan.spec.ts': "it('keeps the fee for later'",
  'tests/e2e/token.e2e.ts': "test('rejects the zero address'",
};
const select = (...words: string[]) => selectTests(words, Object.keys(TEXTS), (file) => TEXTS[file] ?? '');

describe('selectTests', () => {
  it('finds files by parts of their paths', () => {
    expect(select('fees', 'e2e')).toEqual([{ files: ['libs/rules/src/fees.spec.ts', 'tests/e2e/token.e2e.ts'] }]);
  });

  it('finds tests by parts of their titles', () => {
    const files = ['libs/rules/src/fees.spec.ts', 'libs/rules/src/plan.spec.ts'];
    expect(select('the fee')).toEqual([{ files, titles: { isWhole: false, of: ['the fee'] } }]);
  });

  it('finds titles that are computed in a named file', () => {
    const [selection] = select('libs/rules', 'a fee of 1 wei');
    expect(selection).toEqual({
      files: ['libs/rules/src/fees.spec.ts', 'libs/rules/src/plan.spec.ts'],
      titles: { isWhole: false, of: ['a fee of 1 wei'] },
    });
  });

  it('finds the tests of a report beside whole files', () => {
    expect(select('libs/rules/src/fees.spec.ts › fees › rounds', 'token.e2e')).toEqual([
      { files: ['libs/rules/src/fees.spec.ts'], titles: { isWhole: true, of: ['fees › rounds'] } },
      { files: ['tests/e2e/token.e2e.ts'] },
    ]);
  });

  it.each(['no such words', 'libs/gone.spec.ts › rounds'])('finds nothing for %s', (word) => {
    expect(select(word)).toEqual([]);
  });
});

describe('titlePattern', () => {
  const whole = { isWhole: true, of: ['fees > costs $1 (or 2)'] };

  it('matches exactly a reported test of Vitest', () => {
    const pattern = new RegExp(titlePattern(whole, false));
    expect('fees > costs $1 (or 2)').toMatch(pattern);
    expect('fees > costs $1 (or 2) or more').not.toMatch(pattern);
    expect('all fees > costs $1 (or 2)').not.toMatch(pattern);
  });

  it('matches exactly a reported test of Playwright', () => {
    const pattern = new RegExp(titlePattern(whole, true));
    expect('pages token.e2e.ts fees costs $1 (or 2)').toMatch(pattern);
    expect('pages token.e2e.ts all fees costs $1 (or 2)').not.toMatch(pattern);
  });

  it.each([false, true])('matches a part of a title (in a browser: %s)', (isInBrowser) => {
    expect('fees > costs $1 more').toMatch(new RegExp(titlePattern({ isWhole: false, of: ['costs $1'] }, isInBrowser)));
  });
});

describe('commandToRepeat', () => {
  it('names failed tests, whole files and rounds once each', () => {
    const failed = [
      "libs/a.spec.ts › takes the payer's money",
      'libs/b.spec.ts › the whole file',
      'chaos › ended with exit code 1',
      'chaos › ended with exit code 1',
    ];
    expect(commandToRepeat(failed, [])).toBe(
      "npm test -- 'libs/a.spec.ts › takes the payer'\\''s money' libs/b.spec.ts --round=chaos",
    );
  });

  it('repeats the words for a failure outside of tests', () => {
    const failed = ['specs › ended with exit code 1', 'libs/a.spec.ts › adds'];
    expect(commandToRepeat(failed, ['libs/a', 'of a fee'])).toBe(
      "npm test -- libs/a 'of a fee' 'libs/a.spec.ts › adds'",
    );
  });

  it('gives words that find the failed test again', () => {
    const [, words = ''] = commandToRepeat(['tests/e2e/token.e2e.ts › token > rejects'], []).split(' -- ');
    expect(select(words.slice(1, -1))).toEqual([
      { files: ['tests/e2e/token.e2e.ts'], titles: { isWhole: true, of: ['token > rejects'] } },
    ]);
  });
});
