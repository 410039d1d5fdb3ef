import { globSync } from 'node:fs';
import { join } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack';

/** A kind of test, run by one tool. */
export interface TestPhase {
  name: 'unit' | 'integration' | 'system' | 'browser' | 'chaos' | 'deploy' | 'observability' | 'api-fuzz';
  /** Test files, relative to the workspace. */
  files: string[];
}

interface Pattern {
  name: TestPhase['name'];
  include: string;
  exclude?: string;
  /** Left out unless a filter asks for it: it needs more of the machine than Node and git. */
  onlyWhenAsked?: boolean;
}

const PATTERNS: readonly Pattern[] = [
  {
    name: 'unit',
    include: '{{apps,libs}/*/src/**,tools/**,tests/documents,tests/deploy/observability}/*.spec.{ts,tsx}',
    exclude: '.integration.spec.',
  },
  { name: 'integration', include: '{apps,libs}/*/src/**/*.integration.spec.ts' },
  { name: 'system', include: 'tests/system/**/*.spec.ts' },
  { name: 'browser', include: 'tests/e2e/**/*.e2e.ts' },
  { name: 'chaos', include: 'tests/chaos/*.spec.ts' },
  { name: 'deploy', include: 'tests/deploy/*.spec.ts', onlyWhenAsked: true },
  { name: 'api-fuzz', include: 'tests/api-fuzz/*.spec.ts', onlyWhenAsked: true },
  { name: 'observability', include: 'tests/deploy/observability/*.prometheus.ts', onlyWhenAsked: true },
];

/**
 * The phases that have test files left when only paths holding one of the filters count; no filter keeps all that need
 * nothing beyond what every machine here has.
 */
export function choosePhases(filters: readonly string[]): TestPhase[] {
  const patterns = PATTERNS.filter(({ onlyWhenAsked }) => !onlyWhenAsked || filters.length > 0);
  return patterns
    .map(({ name, include, exclude }) => ({
      name,
      files: globSync(include, { cwd: WORKSPACE_ROOT })
        .filter((file) => !exclude || !file.includes(exclude))
        .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
        .sort(),
    }))
    .filter(({ files }) => files.length > 0);
}

/** Where reports and the shared stack's logs are left to be read after a run. */
export const RESULTS_DIRECTORY = join(WORKSPACE_ROOT, 'test-results');
