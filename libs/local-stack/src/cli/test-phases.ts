import { globSync } from 'node:fs';
import { join } from 'node:path';
import { WORKSPACE_ROOT } from '../paths.ts';

/** A kind of test, run by one tool. */
export interface TestPhase {
  name: 'unit' | 'integration' | 'system' | 'browser';
  /** Test files, relative to the workspace. */
  files: string[];
}

const PATTERNS: readonly { name: TestPhase['name']; include: string; exclude?: string }[] = [
  { name: 'unit', include: '{apps,libs}/*/src/**/*.spec.{ts,tsx}', exclude: '.integration.spec.' },
  { name: 'integration', include: '{apps,libs}/*/src/**/*.integration.spec.ts' },
  { name: 'system', include: 'tests/system/**/*.spec.ts' },
  { name: 'browser', include: 'tests/e2e/**/*.e2e.ts' },
];

/** The phases that have test files left when only paths holding one of the filters count; no filter keeps all. */
export function choosePhases(filters: readonly string[]): TestPhase[] {
  return PATTERNS.map(({ name, include, exclude }) => ({
    name,
    files: globSync(include, { cwd: WORKSPACE_ROOT })
      .filter((file) => !exclude || !file.includes(exclude))
      .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
      .sort(),
  })).filter(({ files }) => files.length > 0);
}

/** Where reports and the shared stack's logs are left to be read after a run. */
export const RESULTS_DIRECTORY = join(WORKSPACE_ROOT, 'test-results');
