import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import type { JSONReport, JSONReportSuite } from '@playwright/test/reporter';
import type { JsonTestResult, JsonTestResults } from 'vitest/node';

/** In place of a title: the file did not load. */
export const WHOLE_FILE = 'the whole file';

/** Number of tests by result; the failed ones as `path of its file › group > title`. */
export interface TestResults {
  passed: number;
  skipped: number;
  failed: string[];
}

/**
 * Reads the JSON report of Vitest or Playwright. A file that does not load counts as a failed test. So does a tool that fails without a
 * failed test or writes no complete report. @param code the tool's exit code @param target its name among the failures
 */
export async function readReport(path: string, code: number, target: string): Promise<TestResults> {
  const report: Partial<JsonTestResults & JSONReport> = await readFile(path, 'utf8')
    .then(JSON.parse)
    .catch(() => ({}));
  const { numPassedTests = 0, numPendingTests = 0, testResults, stats, suites } = report;
  const failed = [
    ...(testResults ?? []).flatMap(failedOfFile),
    ...(suites ?? []).flatMap((suite) => failedOfSuite(suite)),
  ];
  if (failed.length === 0 && (code !== 0 || !(testResults ?? suites)))
    failed.push(`${target} › ended with exit code ${code}`);
  return { passed: numPassedTests + (stats?.expected ?? 0), skipped: numPendingTests + (stats?.skipped ?? 0), failed };
}

function failedOfFile({ name, status, assertionResults }: JsonTestResult): string[] {
  const file = relative(WORKSPACE_ROOT, name);
  const failed = assertionResults
    .filter((test) => test.status === 'failed')
    .map(({ ancestorTitles, title }) => [...ancestorTitles, title].join(' > '));
  if (status === 'failed' && failed.length === 0) failed.push(WHOLE_FILE);
  return failed.map((title) => `${file} › ${title}`);
}

/** @param groups titles of the groups around the suite; the outermost suite is the file */
function failedOfSuite({ specs, suites = [] }: JSONReportSuite, groups: readonly string[] = []): string[] {
  const failed = specs
    .filter(({ ok }) => !ok)
    .map(({ file, title }) => `tests/e2e/${file} › ${[...groups, title].join(' > ')}`);
  return [...failed, ...suites.flatMap((suite) => failedOfSuite(suite, [...groups, suite.title]))];
}
