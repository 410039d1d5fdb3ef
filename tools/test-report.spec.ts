import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readReport } from './test-report.ts';
import { packagedProgram } from './tool.ts';

let directory: string;
let report: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'maker-test-report-'));
  symlinkSync(join(WORKSPACE_ROOT, 'node_modules'), join(directory, 'node_modules'));
  report = join(directory, 'report.json');
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** @returns the file's path in reports */
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
  readReport(
    report,
    run('vitest', ['run', '--root', directory, '--reporter=json', `--outputFile=${report}`, ...names]),
    'specs',
  );

const playwright = (...names: string[]) =>
  readReport(
    report,
    run('playwright', ['test', '--reporter=json', ...names], { PLAYWRIGHT_JSON_OUTPUT_FILE: report }),
    'pages',
  );

const THREE_TESTS = `
  test('passes', () => {});
  test('fails', () => { throw new Error('1 wei was expected, 2 came'); });
  test.skip('is left out', () => {});`;

describe('readReport', async () => {
  it('counts Vitest’s tests and names the failed', async () => {
    const grouped = `describe('a group', () => {${THREE_TESTS}});`;
    const file = write('three.spec.ts', `import { describe, test } from 'vitest'; ${grouped}`);
    expect(await vitest('three')).toEqual({ passed: 1, skipped: 1, failed: [`${file} › a group > fails`] });
  });

  it('counts Playwright’s tests and names the failed', async () => {
    write(
      'shown.test.ts',
      `import { test } from '@playwright/test'; test.describe('a group', () => {${THREE_TESTS}});`,
    );
    expect(await playwright('shown')).toEqual({
      passed: 1,
      skipped: 1,
      failed: ['tests/e2e/shown.test.ts › a group > fails'],
    });
  });

  it.each([
    ['does not load', "throw new Error('no such chain');"],
    [
      'cannot be prepared',
      "import { beforeAll, test } from 'vitest'; beforeAll(() => { throw new Error('no such chain'); }); test('waits', () => {});",
    ],
  ])('counts a file that %s as failed', async (_, text) => {
    const file = write('whole.spec.ts', text);
    expect(await vitest('whole')).toMatchObject({ passed: 0, failed: [`${file} › the whole file`] });
  });

  it('passes a tool whose tests are all skipped', async () => {
    write('left-out.spec.ts', "import { test } from 'vitest'; test.skip('is left out', () => {});");
    expect(await vitest('left-out')).toEqual({ passed: 0, skipped: 1, failed: [] });
  });

  it('counts an error outside of tests as failed', async () => {
    write(
      'loose.spec.ts',
      "import { test } from 'vitest'; test('passes', () => { Promise.reject(new Error('loose')); });",
    );
    expect(await vitest('loose')).toEqual({ passed: 1, skipped: 0, failed: ['specs › ended with exit code 1'] });
  });

  it.each([
    ['without a report', 'never-written.json', ''],
    ['with half a report', 'half.json', '{"testResults":['],
  ])('counts a tool %s as failed', async (_, name, text) => {
    if (text !== '') write(name, text);
    const failed = ['chaos › ended with exit code 0'];
    expect(await readReport(join(directory, name), 0, 'chaos')).toEqual({ passed: 0, skipped: 0, failed });
  });
});
