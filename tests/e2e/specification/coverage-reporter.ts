import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { FullConfig, FullResult, Reporter, Suite, TestCase } from '@playwright/test/reporter';
import { coverageTable, missingSentences } from './coverage-table.ts';
import { HOLDS } from './holds.ts';
import type { SentenceId } from './sentences.ts';

const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'specification-coverage.md');

/**
 * Writes docs/specification-coverage.md after a run of all browser tests. Fails the run when a sentence is held by no
 * test that passed; on CI also when the page in the repository is not the one that the run would write.
 */
export default class CoverageReporter implements Reporter {
  private tests: readonly TestCase[] = [];
  private directory = '';
  private whole = false;

  onBegin({ rootDir, grep }: FullConfig, suite: Suite): void {
    this.tests = suite.allTests();
    this.directory = rootDir;
    const files = new Set(this.tests.map(({ location }) => location.file));
    const every = globSync('**/*.e2e.ts', { cwd: rootDir }).every((file) => files.has(join(rootDir, file)));
    this.whole = every && String(grep) === '/.*/';
  }

  async onEnd({ status }: FullResult): Promise<{ status: FullResult['status'] }> {
    // Only a whole run in which everything passed knows what is held.
    if (status !== 'passed' || !this.whole) return { status };
    const held = new Map<SentenceId, string[]>();
    for (const test of this.tests) {
      for (const { type, description } of test.annotations) {
        if (type !== HOLDS) continue;
        const sentence = description as SentenceId;
        held.set(sentence, [...(held.get(sentence) ?? []), this.nameOf(test)]);
      }
    }
    const page = coverageTable(held);
    const drifted = process.env.CI && readPage() !== page;
    if (drifted) console.error('✗ docs/specification-coverage.md is out of date: run `npm test -- e2e` and commit it');
    else writeFileSync(PAGE, page);
    const missing = missingSentences(held);
    if (missing.length > 0) console.error(`✗ sentences held by no test: ${missing.join(', ')}`);
    return { status: drifted || missing.length > 0 ? 'failed' : status };
  }

  printsToStdio(): boolean {
    return false;
  }

  private nameOf(test: TestCase): string {
    return `\`${relative(this.directory, test.location.file)}\` ${test.title}`;
  }
}

function readPage(): string {
  try {
    return readFileSync(PAGE, 'utf8');
  } catch {
    return '';
  }
}
