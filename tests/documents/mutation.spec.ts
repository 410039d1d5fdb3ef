import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { judgeReport, type Mutant } from '../mutation/judge-report.ts';
import { mutatedFiles } from '../mutation/mutated-files.ts';
import { resultPage, rowsOf } from '../mutation/result-page.ts';
import { SURVIVORS } from '../mutation/survivors.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FILE = 'libs/rules/src/sum.ts';
const source = 'const one = 1;\n  if (one > 0 && other) return {\n    one,\n  };\n';
const mutant = (status: string, replacement: string, [start, end]: readonly [number, number]): Mutant => ({
  status,
  replacement,
  location: { start: { line: 2, column: start }, end: { line: 2, column: end } },
});
const survived = mutant('Survived', 'one >= 0', [7, 14]);
const LINE = 'if (one > 0 && other) return {';
const known = { line: LINE, fault: 'one > 0 → one >= 0', why: 'it is never 0' };

it('a fault that survives fails a run of mutation tests unless it is explained, and an explanation without one does as well', () => {
  const judged = (mutants: readonly Mutant[], explained = [known]) =>
    judgeReport({ files: { [FILE]: { source, mutants } } }, { [FILE]: explained })[0];
  const killed = mutant('Killed', 'true', [7, 23]);
  const timeout = mutant('Timeout', 'false', [7, 23]);
  expect(judged([survived, killed, timeout])).toEqual({
    file: FILE,
    mutants: 3,
    killed: 1,
    timedOut: 1,
    explained: 1,
    unexplained: [],
    stale: [],
  });
  expect(judged([survived], [])?.unexplained).toEqual([{ line: LINE, fault: 'one > 0 → one >= 0' }]);
  expect(judged([mutant('NoCoverage', 'true', [18, 23])])?.unexplained).toEqual([
    { line: LINE, fault: 'other → true' },
  ]);
  expect(judged([killed])?.stale).toEqual([known]);
});

it('a fault that spans lines is told on one', () => {
  const spanning: Mutant = {
    status: 'Survived',
    replacement: '{}',
    location: { start: { line: 2, column: 32 }, end: { line: 4, column: 4 } },
  };
  const [verdict] = judgeReport({ files: { [FILE]: { source, mutants: [spanning] } } }, {});
  expect(verdict?.unexplained).toEqual([{ line: LINE, fault: '{ one, } → {}' }]);
});

it('every explained fault begins in a line that stands in a file that is mutated', () => {
  const files = mutatedFiles();
  const lost = Object.entries(SURVIVORS).flatMap(([file, entries]) => {
    const lines = files.includes(file) ? readFileSync(join(ROOT, file), 'utf8').split('\n') : [];
    return entries
      .filter(({ line }) => !lines.some((one) => one.trim() === line))
      .map(({ line }) => `${file}: ${line}`);
  });
  expect(lost).toEqual([]);
});

it('docs/mutation.md has a row for every file that is mutated, and every explanation', () => {
  const page = readFileSync(join(ROOT, 'docs', 'mutation.md'), 'utf8');
  expect(page).toBe(resultPage(rowsOf(page), mutatedFiles(), SURVIVORS));
  expect(mutatedFiles().filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});
