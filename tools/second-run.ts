import type { TestResults } from './test-report.ts';

/** With more failed files than this, the cause is no chance, and a second run would only cost time. */
const MOST_AGAIN = 3;

/** Files to run once more by themselves: none if too many failed, or if something failed that belongs to no file. */
export function filesToRunAgain(first: TestResults): readonly string[] {
  const files = new Set(first.failed.map((test) => test.split(' › ', 1)[0] ?? ''));
  return files.size > MOST_AGAIN || [...files].some((file) => !file.includes('/')) ? [] : [...files];
}

/**
 * The result of a run whose red files ran once more by themselves: a test that passes then counts as passed. A second run with a new
 * failure, such as a file that did not load, proves nothing.
 */
export function judgeSecondRun(first: TestResults, second: TestResults): TestResults & { readonly notes: string[] } {
  if (second.failed.some((test) => !first.failed.includes(test))) return { ...first, notes: [] };
  const passed = first.failed.filter((test) => !second.failed.includes(test));
  return {
    ...first,
    passed: first.passed + passed.length,
    failed: second.failed,
    notes: passed.map((test) => `~ ${test}: failed, then passed by itself`),
  };
}
