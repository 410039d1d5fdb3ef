import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';

/** Result of one test, or of a file or tool that failed by itself. */
export interface TestResult {
  /** Relative to the workspace; the target's name where a tool failed. */
  readonly file: string;
  readonly title: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly message: string;
}

interface PlaywrightSuite {
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs: readonly {
    file: string;
    title: string;
    tests: readonly { status: string; results: readonly { error?: { message?: string } }[] }[];
  }[];
}

interface Report {
  readonly testResults?: readonly {
    name: string;
    status: string;
    message: string;
    assertionResults: readonly { fullName: string; status: string; failureMessages: readonly string[] }[];
  }[];
  readonly suites?: readonly PlaywrightSuite[];
  readonly errors?: readonly { message?: string }[];
}

/**
 * Reads the JSON report of Vitest or Playwright. A file that does not load is a failure, and so is a tool that fails without a failed test.
 * @param code the tool's exit code @param target its name in the results
 */
export function readReport(path: string, code: number, target: string): TestResult[] {
  let report: Report = {};
  try {
    report = JSON.parse(readFileSync(path, 'utf8')) as Report;
  } catch {
    // The tool died before it wrote one, which is a failure below.
  }
  const results = [...(report.testResults ?? []).flatMap(ofVitestFile), ...(report.suites ?? []).flatMap(ofSuite)];
  if (results.some(({ state }) => state === 'failed') || (code === 0 && results.length > 0)) return results;
  const message = report.errors?.map((error) => error.message).join('\n') ?? '';
  return [...results, { file: target, title: `ended with exit code ${code}`, state: 'failed', message }];
}

function ofVitestFile({
  name,
  status,
  message,
  assertionResults,
}: NonNullable<Report['testResults']>[number]): TestResult[] {
  const file = relative(WORKSPACE_ROOT, name);
  const results = assertionResults.map((test) => ({
    file,
    title: test.fullName,
    state: stateOf(test.status),
    message: test.failureMessages.join('\n'),
  }));
  const isUnexplained = status === 'failed' && !results.some(({ state }) => state === 'failed');
  return isUnexplained ? [...results, { file, title: 'the whole file', state: 'failed', message }] : results;
}

function ofSuite({ specs, suites = [] }: PlaywrightSuite): TestResult[] {
  const own = specs.flatMap(({ file, title, tests }) =>
    tests.map(({ status, results }) => ({
      file: `tests/e2e/${file}`,
      title,
      state: stateOf(status),
      message: results.map(({ error }) => error?.message).join('\n'),
    })),
  );
  return [...own, ...suites.flatMap(ofSuite)];
}

function stateOf(status: string): TestResult['state'] {
  if (status === 'passed' || status === 'expected') return 'passed';
  return status === 'failed' || status === 'unexpected' || status === 'flaky' ? 'failed' : 'skipped';
}

const LINES_SHOWN = 6;

/** A failed test with the first lines of its error. */
export function failureText({ file, title, message }: TestResult): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return [`✗ ${file}`, `    ${title}`, ...lines.slice(0, LINES_SHOWN).map((line) => `      ${line.trim()}`)].join('\n');
}
