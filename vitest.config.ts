import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Workspace packages are tested from their sources. */
const conditions = ['@maker/source'];

/**
 * Files that follow each other in one process, which reads what they import once: that is most of what a short file costs. A
 * spec leaves nothing behind that another could meet, and its servers and services are its own; those of screens do, in the document.
 */
const IN_ONE_PROCESS = { isolate: false };

/** These compute: a worker for each core, of which Vitest would leave one to itself. */
const ON_ALL_CORES = { maxWorkers: '100%' };

/** Integration and system tests wait for blocks. More of them beside four pages starve each other on a slow machine: schedules are missed. */
const MOST_AT_ONCE = 5;
const SIDE_BY_SIDE = { maxWorkers: MOST_AT_ONCE, sequence: { groupOrder: 1 } };
const LONG_SIDE_BY_SIDE = { maxWorkers: MOST_AT_ONCE, sequence: { groupOrder: 7 } };

/** A file that takes minutes of waiting or computing has this in its name. */
const LONG = '**/*.long.*';

/** Long system tests by the project that runs them. Those with a project of their own say little beside six other stacks. */
const LONG_SYSTEM = {
  // The product as a whole at what a quick test holds in its parts; `bench` says nothing of the product.
  whole: '{bench,reorganisation}',
  'rolling-restart': 'rolling-restart',
  recovery: '{recovery-drill,leaked-secrets}',
  'limited-endpoint': 'limited-endpoint',
  venues: 'venues',
  long: '{canary-round,chain-switches,deadline,filled-chain,follow-request,gateway-replicas,limited-tokens,other-layer,quickstart,webhooks,whole-job,xpub-mismatch}',
  // Many jobs at once on a stack each.
  plans: '{dear-gas,matrix}',
  'plan-kept': 'plan-kept',
  // Longer than a run has.
  'by-name': '{correct-answers,large-plans,largest-plan,many-jobs}',
};

/** Twenty jobs at once, each of which meets several who mean harm. */
const COMBINATIONS = 'tests/adversary/combinations.spec.ts';

const SYSTEM = {
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // Jobs of one file side by side wait for blocks most of the time.
  maxConcurrency: 12,
  // A file that pays starts a stack of its own: on a shared one the payer's nonces would cross.
  ...SIDE_BY_SIDE,
};

const INTEGRATION = { testTimeout: 60_000, hookTimeout: 60_000, ...SIDE_BY_SIDE, ...IN_ONE_PROCESS };

const ADVERSARY = {
  sequence: { groupOrder: 6 },
  hookTimeout: 300_000,
  // One stack a file, and many jobs side by side in it.
  maxWorkers: 1,
  maxConcurrency: 16,
};

/** `npm test` sums reports up. */
const { TEST_REPORT } = process.env;

/** Of libraries, those that wait for outages and rounds of a quarter of a minute. */
const WAITS = /\/libs\/(messaging|persistence\/src\/outage|chain\/src\/endpoints\/strict-node)/;

/**
 * The longest begin first, so that what is left at the end is short: files that wait or have a stack of their own, then those of
 * services. A fresh clone knows no times, and Vitest goes by the size of files, which says little: forty lines may be a whole job.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { waiting = [], service = [], other = [] } = Object.groupBy(await super.sort(files), kindOf);
    return [...waiting, ...service, ...other];
  }
}

function kindOf({ project, moduleId }: TestSpecification): 'waiting' | 'service' | 'other' {
  if (project.name.startsWith('system')) return 'waiting';
  if (project.name === 'integration' && WAITS.test(moduleId)) return 'waiting';
  return project.name === 'integration' && moduleId.includes('/apps/') ? 'service' : 'other';
}

export default defineConfig({
  // Specs belong to no package's tsconfig, from which these would be read.
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    sequence: { sequencer: LongestFirst },
    reporters: TEST_REPORT ? ['default', ['json', { outputFile: TEST_REPORT }]] : ['default'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            '{apps,libs}/*/src/**/*.spec.ts',
            'tools/**/*.spec.ts',
            'tests/documents/*.spec.ts',
            'tests/deploy/observability/*.spec.ts',
          ],
          exclude: ['**/*.integration.spec.ts', '**/dist/**'],
          // Some start a program, or derive a key; beside a type check they take longer than the five seconds that are usual.
          testTimeout: 20_000,
          ...ON_ALL_CORES,
          ...IN_ONE_PROCESS,
        },
      },
      {
        extends: true,
        test: {
          name: 'screens',
          include: ['{apps,libs}/*/src/**/*.spec.tsx'],
          testTimeout: 20_000,
          ...ON_ALL_CORES,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['{apps,libs}/*/src/**/*.integration.spec.ts'],
          exclude: [LONG, '**/dist/**'],
          ...INTEGRATION,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration:long',
          include: ['{apps,libs}/*/src/**/*.long.integration.spec.ts'],
          ...INTEGRATION,
          ...LONG_SIDE_BY_SIDE,
        },
      },
      {
        extends: true,
        test: { name: 'system', include: ['tests/{system,published}/*.spec.ts'], exclude: [LONG], ...SYSTEM },
      },
      ...Object.entries(LONG_SYSTEM).map(([name, files]) => ({
        extends: true as const,
        test: {
          name: `system:${name}`,
          include: [`tests/system/${files}.long.spec.ts`],
          ...SYSTEM,
          ...LONG_SIDE_BY_SIDE,
        },
      })),
      {
        extends: true,
        test: {
          name: 'chaos',
          sequence: { groupOrder: 2 },
          include: ['tests/chaos/*.spec.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // A stack each, which waits for blocks most of the time.
          maxWorkers: 3,
        },
      },
      {
        extends: true,
        test: { name: 'adversary', include: ['tests/adversary/*.spec.ts'], exclude: [COMBINATIONS], ...ADVERSARY },
      },
      { extends: true, test: { name: 'adversary:combinations', include: [COMBINATIONS], ...ADVERSARY } },
      {
        extends: true,
        test: {
          name: 'deploy',
          sequence: { groupOrder: 3 },
          include: ['tests/deploy/*.spec.ts'],
          testTimeout: 120_000,
          // The tools are built on first use.
          hookTimeout: 900_000,
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: {
          name: 'api-fuzz',
          sequence: { groupOrder: 4 },
          include: ['tests/api-fuzz/*.spec.ts'],
          // Schemathesis is installed on first use, and a job is paid and executed before it begins.
          hookTimeout: 900_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'observability',
          sequence: { groupOrder: 5 },
          include: ['tests/deploy/observability/*.prometheus.ts'],
          testTimeout: 60_000,
          hookTimeout: 180_000,
          maxWorkers: 1,
        },
      },
    ],
  },
});
