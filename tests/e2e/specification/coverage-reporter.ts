import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { FullConfig, FullResult, Reporter, Suite, TestCase } from '@playwright/test/reporter';
import { SENTENCES } from '../../support/specification/sentences.ts';
import { HOLDS } from './holds.ts';

/**
 * Fails a run of all browser tests but the long ones, which hold no sentence, when a sentence of the specification is held by none
 * of them. Which test fails when a sentence is broken: docs/specification-coverage.md.
 */
export default class CoverageReporter implements Reporter {
  private tests: readonly TestCase[] = [];
  private whole = false;

  onBegin({ rootDir, grep }: FullConfig, suite: Suite): void {
    this.tests = suite.allTests();
    const files = new Set(this.tests.map(({ location }) => location.file));
    const every = globSync('**/!(*.long).e2e.ts', { cwd: rootDir }).every((file) => files.has(join(rootDir, file)));
    this.whole = every && String(grep) === '/.*/';
  }

  async onEnd({ status }: FullResult): Promise<{ status: FullResult['status'] }> {
    // Only a whole run in which everything passed knows what is held.
    if (status !== 'passed' || !this.whole) return { status };
    const held = new Set(
      this.tests.flatMap(({ annotations }) =>
        annotations.filter(({ type }) => type === HOLDS).map(({ description }) => description),
      ),
    );
    const missing = Object.keys(SENTENCES).filter((id) => !held.has(id));
    if (missing.length > 0) console.error(`✗ sentences held by no test: ${missing.join(', ')}`);
    return { status: missing.length > 0 ? 'failed' : status };
  }

  printsToStdio(): boolean {
    return false;
  }
}
