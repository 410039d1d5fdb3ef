import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import type { JSONReport, JSONReportSuite } from '@playwright/test/reporter';
import type { JsonTestResult, JsonTestResults } from 'vitest/node';

/** Result of one test, or of a file or tool that failed by itself. */
export interface TestResult {
  /** Relative to the workspace; the target's name where a tool failed. */
  readonly file: string;
  readonly title: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly message: string;
}

/**
 * Reads the JSON report of Vitest or Playwright. A file that does not load is a failure, and so is a tool that fails without a failed test.
 * @param code the tool's exit code @param target its name in the results
 */
export function readReport(path: string, code: number, target: string): TestResult[] {
  let report: Partial<JsonTestResults & JSONReport> = {};
  try {
    report = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // The tool died before it wrote one, which is a failure below.
  }
  const { testResults = [], suites = [], errors = [] } = report;
  const results = [...testResults.flatMap(ofVitestFile), ...suites.flatMap(ofSuite)];
  if (results.some(({ state }) => state === 'failed') || (code === 0 && results.length > 0)) return results;
  const message = errors.map((error) => error.message).join('\n');
  return [...results, { file: target, title: `ended with exit code ${code}`, state: 'failed', message }];
}

function ofVitestFile({ name, status, message, assertionResults }: JsonTestResult): TestResult[] {
  const file = relative(WORKSPACE_ROOT, name);
  const results = assertionResults.map(({ fullName, status, failureMessages }) => ({
    file,
    title: fullName,
    state: stateOf(status),
    message: (failureMessages ?? []).join('\n'),
  }));
  const isUnexplained = status === 'failed' && !results.some(({ state }) => state === 'failed');
  return isUnexplained ? [...results, { file, title: 'the whole file', state: 'failed', message }] : results;
}

function ofSuite({ specs, suites = [] }: JSONReportSuite): TestResult[] {
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
  return ['failed', 'unexpected', 'flaky'].includes(status) ? 'failed' : 'skipped';
}

const LINES_SHOWN = 6;

/** A failed test with the first lines of its error. */
export function failureText({ file, title, message }: TestResult): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return [`✗ ${file}`, `    ${title}`, ...lines.slice(0, LINES_SHOWN).map((line) => `      ${line.trim()}`)].join('\n');
}
