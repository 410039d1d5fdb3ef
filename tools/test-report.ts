import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';

/** A test that was red. */
export interface TestFailure {
  /** Its name, with those of the groups that it stands in. */
  title: string;
  /** What it said. */
  message: string;
}

/** What came of one file's tests. */
export interface FileResult {
  /** Relative to the workspace, or a tool's name where the tool itself failed. */
  file: string;
  passed: number;
  skipped: number;
  failures: TestFailure[];
  /** Red among others, green in a second run by themselves. */
  unsteady?: TestFailure[];
}

/** A tool, or a part that tests need, that failed by itself. */
export function failureOf(what: string, title: string, message = ''): FileResult {
  return { file: what, passed: 0, skipped: 0, failures: [{ title, message }] };
}

interface VitestReport {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

/** Reads vitest's JSON report; a file that could not be loaded or prepared is a failure too. @param code vitest's exit code */
export async function vitestResults(reportFile: string, code: number): Promise<FileResult[]> {
  const report = await readReport<VitestReport>(reportFile);
  const results = (report?.testResults ?? []).map(({ name, status, message, assertionResults }) => {
    const file = relative(WORKSPACE_ROOT, name);
    const red = assertionResults.filter((test) => test.status === 'failed');
    const passed = assertionResults.filter((test) => test.status === 'passed').length;
    const failures = red.map(({ fullName, failureMessages }) => ({
      title: fullName,
      message: failureMessages.join('\n'),
    }));
    // It could not be loaded, or what it needs could not be started.
    if (status === 'failed' && red.length === 0) failures.push({ title: 'as a whole, and no test by itself', message });
    return { file, passed, skipped: assertionResults.length - passed - red.length, failures };
  });
  return withExit(results, 'vitest', code);
}

interface PlaywrightSuite {
  title: string;
  file: string;
  suites?: PlaywrightSuite[];
  specs: { title: string; tests: { status: string; results: { error?: { message?: string } }[] }[] }[];
}

interface PlaywrightReport {
  config: { rootDir: string };
  suites: PlaywrightSuite[];
  errors: { message?: string }[];
}

/** Reads Playwright's JSON report. @param code Playwright's exit code */
export async function playwrightResults(reportFile: string, code: number): Promise<FileResult[]> {
  const report = await readReport<PlaywrightReport>(reportFile);
  if (!report) return withExit([], 'playwright', code);
  const results = report.suites.map((suite) => {
    const tests = playwrightTests(suite, []);
    const red = tests.filter(({ status }) => status === 'unexpected' || status === 'flaky');
    const skipped = tests.filter(({ status }) => status === 'skipped').length;
    return {
      file: relative(WORKSPACE_ROOT, resolve(report.config.rootDir, suite.file)),
      passed: tests.length - red.length - skipped,
      skipped,
      failures: red.map(({ title, message }) => ({ title, message })),
    };
  });
  return withExit(results, 'playwright', code, report.errors.map(({ message }) => message).join('\n'));
}

function playwrightTests(suite: PlaywrightSuite, groups: string[]): (TestFailure & { status: string })[] {
  const own = suite.specs.flatMap(({ title, tests }) =>
    tests.map(({ status, results }) => ({
      title: [...groups, title].join(' › '),
      status,
      message: results.flatMap(({ error }) => error?.message ?? []).join('\n'),
    })),
  );
  const inner = (suite.suites ?? []).flatMap((group) => playwrightTests(group, [...groups, group.title]));
  return [...own, ...inner];
}

async function readReport<Report>(file: string): Promise<Report | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text ? (JSON.parse(text) as Report) : undefined;
}

/** A tool that failed without a red test (an error outside of tests, a crash before any report) is one failure. */
function withExit(results: FileResult[], tool: string, code: number, message = ''): FileResult[] {
  const isExplained = results.some(({ failures }) => failures.length > 0);
  const isEmpty = results.length === 0;
  if (isExplained || (code === 0 && !isEmpty)) return results;
  return [...results, failureOf(tool, `ended with exit code ${code}${isEmpty ? ' and no result' : ''}`, message)];
}

/** More red files than this are no accident, and a second run would only cost time. */
const MOST_AGAIN = 3;

/** The files that are worth a second run: few, and red by their tests rather than by the tool. */
export function filesForSecondRun(results: readonly FileResult[]): string[] {
  const red = results.filter(({ failures }) => failures.length > 0);
  const isWorthwhile = red.length <= MOST_AGAIN && red.every(({ file }) => file.includes('/'));
  return isWorthwhile ? red.map(({ file }) => file) : [];
}

/** What counts after a second run: its own results, where a test that was red only the first time is unsteady. */
export function afterSecondRun(first: readonly FileResult[], second: readonly FileResult[]): FileResult[] {
  const again = new Map(second.map((result) => [result.file, result]));
  const kept = first.map((before) => {
    const after = again.get(before.file);
    if (!after) return before;
    again.delete(before.file);
    const stillRed = new Set(after.failures.map(({ title }) => title));
    return { ...after, unsteady: before.failures.filter(({ title }) => !stillRed.has(title)) };
  });
  return [...kept, ...again.values()];
}

/** Each red test with the first lines of what it said, so that a run's last page says what was wrong. */
export function redTests(results: readonly FileResult[]): string[] {
  return results.flatMap(({ file, failures }) => failures.flatMap((failure) => told(`✗ ${file}`, failure)));
}

/** The same of tests that a second run found green: nobody is stopped by them, and somebody should look. */
export function unsteadyTests(results: readonly FileResult[]): string[] {
  return results.flatMap(({ file, unsteady = [] }) =>
    unsteady.flatMap((failure) => told(`~ unsteady, green in a second run: ${file}`, failure)),
  );
}

function told(heading: string, { title, message }: TestFailure): string[] {
  return [heading, `    ${title}`, ...firstLines(message)];
}

function firstLines(message: string): string[] {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.slice(0, LINES_TOLD).map((line) => `      ${line.trim()}`);
}
const LINES_TOLD = 6;

/** The closing line: 'N passed, N failed', and what was skipped where something was. */
export function closingLine(results: readonly FileResult[]): string {
  const passed = total(results, (result) => result.passed);
  const skipped = total(results, (result) => result.skipped);
  return `${passed} passed, ${failedTests(results)} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** How many tests were red. */
export function failedTests(results: readonly FileResult[]): number {
  return total(results, ({ failures }) => failures.length);
}

function total(results: readonly FileResult[], count: (result: FileResult) => number): number {
  return results.reduce((sum, result) => sum + count(result), 0);
}
