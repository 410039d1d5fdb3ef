import { readFile } from 'node:fs/promises';

/** What came of tests. */
export interface TestCounts {
  passed: number;
  failed: number;
  skipped: number;
}

/** Nothing ran. */
export const NO_TESTS: TestCounts = { passed: 0, failed: 0, skipped: 0 };

/** Adds up. */
export function sum(counts: readonly TestCounts[]): TestCounts {
  return counts.reduce(
    (total, { passed, failed, skipped }) => ({
      passed: total.passed + passed,
      failed: total.failed + failed,
      skipped: total.skipped + skipped,
    }),
    NO_TESTS,
  );
}

/** The closing line: 'N passed, N failed', and what was skipped where something was. */
export function closingLine({ passed, failed, skipped }: TestCounts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

async function readReport<Report>(file: string): Promise<Report | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text ? (JSON.parse(text) as Report) : undefined;
}

/** A run that failed without a failed test (a file that does not load, a tool that crashed) is one failure. */
function withExit(counts: TestCounts, code: number): TestCounts {
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: { status: string; assertionResults: unknown[] }[];
}

/** Reads vitest's JSON report; a file that could not be loaded is a failure too. @param code vitest's exit code */
export async function vitestCounts(file: string, code: number): Promise<TestCounts> {
  const report = await readReport<VitestReport>(file);
  if (!report) return withExit(NO_TESTS, code || 1);
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  const failed = report.numFailedTests + broken.length;
  return withExit({ passed: report.numPassedTests, failed, skipped: report.numPendingTests }, code);
}

/** Reads Playwright's JSON report. @param code Playwright's exit code */
export async function playwrightCounts(file: string, code: number): Promise<TestCounts> {
  const report = await readReport<{
    stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  }>(file);
  if (!report) return withExit(NO_TESTS, code || 1);
  const { expected, unexpected, flaky, skipped } = report.stats;
  return withExit({ passed: expected, failed: unexpected + flaky, skipped }, code);
}
