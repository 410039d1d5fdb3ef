import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  afterSecondRun,
  closingLine,
  type FileResult,
  filesForSecondRun,
  playwrightResults,
  redTests,
  unsteadyTests,
  vitestResults,
} from './test-report.ts';
import { packagedProgram } from './tool.ts';

let directory: string;
let report: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'maker-test-report-'));
  symlinkSync(join(WORKSPACE_ROOT, 'node_modules'), join(directory, 'node_modules'));
  report = join(directory, 'report.json');
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** @returns its path as a report names it */
function write(name: string, text: string): string {
  const file = join(directory, name);
  writeFileSync(file, text);
  return relative(WORKSPACE_ROOT, file);
}

/** @returns the tool's exit code */
function run(program: string, args: string[], environment: Record<string, string> = {}): number {
  rmSync(report, { force: true });
  const { status } = spawnSync(packagedProgram(program), args, {
    cwd: directory,
    env: { ...process.env, ...environment },
  });
  return status ?? 1;
}

const vitest = (...names: string[]) =>
  vitestResults(
    report,
    run('vitest', ['run', '--root', directory, '--reporter=json', `--outputFile=${report}`, ...names]),
  );

const playwright = (...names: string[]) =>
  playwrightResults(
    report,
    run('playwright', ['test', '--reporter=json', ...names], { PLAYWRIGHT_JSON_OUTPUT_FILE: report }),
  );

const groupOfThree = (describe: string) => `
  ${describe}('a group', () => {
    test('is green', () => {});
    test('is red', () => { throw new Error('1 wei was expected, 2 came'); });
    test.skip('is left out', () => {});
  });`;
const red = [{ title: expect.stringMatching(/^a group.*is red$/), message: expect.stringContaining('1 wei') }];

describe('what came of tests', () => {
  it('reports vitest results by file', async () => {
    const file = write('red.spec.ts', `import { describe, test } from 'vitest'; ${groupOfThree('describe')}`);
    expect(await vitest('red')).toEqual([{ file, passed: 1, skipped: 1, failures: red }]);
  });

  it('reports Playwright results by file', async () => {
    const file = write('shown.test.ts', `import { test } from '@playwright/test'; ${groupOfThree('test.describe')}`);
    expect(await playwright('shown')).toEqual([{ file, passed: 1, skipped: 1, failures: red }]);
  });

  it.each([
    ['does not load', "throw new Error('no such chain');", 0],
    [
      'cannot be prepared',
      "import { beforeAll, test } from 'vitest'; beforeAll(() => { throw new Error('no such chain'); }); test('waits', () => {});",
      1,
    ],
  ])('retries a file that %s', async (_, text, skipped) => {
    const file = write('whole.spec.ts', text);
    const title = 'as a whole, and no test by itself';
    const results = await vitest('whole');
    expect(results).toEqual([
      { file, passed: 0, skipped, failures: [{ title, message: expect.stringContaining('no such chain') }] },
    ]);
  });

  it('counts an error outside of tests as a failure', async () => {
    const loose =
      "import { test } from 'vitest'; test('is green', () => { Promise.reject(new Error('nobody waits')); });";
    write('loose.spec.ts', loose);
    expect(await vitest('loose')).toMatchObject([{ passed: 1 }, { file: 'vitest', failures: [expect.anything()] }]);
  });

  it('counts a tool without a result as failure', async () => {
    expect(closingLine(await vitestResults(join(directory, 'never-written.json'), 0))).toBe('0 passed, 1 failed');
    expect(closingLine(await playwrightResults(join(directory, 'never-written.json'), 137))).toBe('0 passed, 1 failed');
  });

  it('ends with each failed test and sums', () => {
    const results = [result('a/green.spec.ts', 3), result('a/red.spec.ts', 2, 'pays once')];
    expect(redTests(results)).toEqual(['✗ a/red.spec.ts', '    pays once', '      1 wei was expected, 2 came']);
    expect(closingLine(results)).toBe('5 passed, 1 failed');
  });
});

function result(file: string, passed: number, ...titles: string[]): FileResult {
  const failures = titles.map((title) => ({ title, message: '1 wei was expected, 2 came' }));
  return { file, passed, skipped: 0, failures };
}

describe('a second run', () => {
  it('applies to few failed files only', () => {
    const many = ['a', 'b', 'c', 'd'].map((name) => result(`${name}/x.spec.ts`, 0, 'is red'));
    expect(filesForSecondRun([result('a/green.spec.ts', 1), ...many.slice(1)])).toEqual([
      'b/x.spec.ts',
      'c/x.spec.ts',
      'd/x.spec.ts',
    ]);
    expect(filesForSecondRun(many)).toEqual([]);
    expect(filesForSecondRun([result('vitest', 0, 'ended with exit code 1'), ...many.slice(2)])).toEqual([]);
  });

  it('decides, and reports the first failure', () => {
    const first = [result('a/green.spec.ts', 3), result('a/red.spec.ts', 2, 'pays once', 'ends')];
    const results = afterSecondRun(first, [result('a/red.spec.ts', 3, 'ends')]);
    expect(closingLine(results)).toBe('6 passed, 1 failed');
    expect(redTests(results)).toContain('    ends');
    expect(unsteadyTests(results)).toEqual([
      '~ unsteady, green in a second run: a/red.spec.ts',
      '    pays once',
      '      1 wei was expected, 2 came',
    ]);
  });

  it('does not hide that the second run itself failed', () => {
    const results = afterSecondRun(
      [result('a/red.spec.ts', 2, 'ends')],
      [result('vitest', 0, 'ended with exit code 137')],
    );
    expect(closingLine(results)).toBe('2 passed, 2 failed');
  });
});
