import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests use the sources of workspace packages. */
const conditions = ['@maker/source'];

/**
 * Runs files one after the other in one process, which loads their imports once: that is most of a short file's time. A spec
 * must leave no state that affects another, and has its own servers and services. Screens' specs do leave some, in the document.
 */
const IN_ONE_PROCESS = { isolate: false };

/** For projects that compute: one worker per core. By default Vitest keeps one core for itself. */
const ON_ALL_CORES = { maxWorkers: '100%' };

/** Integration and system tests wait for blocks. With more of them, a slow machine misses schedules. */
const MOST_AT_ONCE = 6;
const SIDE_BY_SIDE = { maxWorkers: MOST_AT_ONCE, sequence: { groupOrder: 1 } };
/** Most of these files have a stack each. While six start at once, two cores cannot answer a first creation in time. */
const LONG_SIDE_BY_SIDE = { maxWorkers: 4, sequence: { groupOrder: 7 } };

/** Part of the name of a file that waits or computes for minutes. */
const LONG = '**/*.long.*';

/** Long system tests by the project that runs them. Those with a separate project would print little beside six other stacks. */
const LONG_SYSTEM = {
  // The whole product under conditions that a quick test covers in parts; `bench` does not check the product.
  whole: '{bench,reorganisation}',
  'rolling-restart': 'rolling-restart',
  recovery: '{recovery-drill,leaked-secrets}',
  'limited-endpoint': 'limited-endpoint',
  venues: 'venues',
  long: '{canary-round,chain-switches,deadline,filled-chain,follow-request,gateway-replicas,limited-tokens,other-layer,quickstart,short-payments,stepped-clock,webhooks,whole-job,xpub-mismatch}',
  // Many jobs in parallel, with one stack each.
  plans: '{dear-gas,matrix}',
  'plan-kept': 'plan-kept',
  // These take longer than a whole run may.
  large: '{correct-answers,large-plans,largest-plan,many-jobs}',
};

/** Twenty parallel jobs, each with several malicious parties. */
const COMBINATIONS = 'tests/adversary/combinations.spec.ts';

const SYSTEM = {
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // Parallel jobs of one file wait for blocks most of the time.
  maxConcurrency: 12,
  // A file that pays starts its own stack: on a shared one the payer's nonces would collide.
  ...SIDE_BY_SIDE,
};

const INTEGRATION = {
  globalSetup: 'tests/support/mongod.setup.ts',
  testTimeout: 60_000,
  hookTimeout: 60_000,
  ...SIDE_BY_SIDE,
  ...IN_ONE_PROCESS,
};

const ADVERSARY = {
  sequence: { groupOrder: 6 },
  hookTimeout: 300_000,
  // One stack per file, with many parallel jobs.
  maxWorkers: 1,
  maxConcurrency: 16,
};

/** `npm test` combines the reports, and chooses tests by their titles. */
const { TEST_REPORT, TEST_TITLES } = process.env;

/** Specs of libraries that wait for outages and for rounds of 15 s. */
const WAITS = /\/libs\/(messaging|persistence\/src\/outage|chain\/src\/endpoints\/strict-node)/;

/**
 * Starts the longest files first, so that little is left at the end: files that wait or have their own stack, then those of services.
 * A fresh clone has no recorded times, and Vitest's order by file size is not enough: forty lines may be a whole job.
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
  // Specs belong to no package's tsconfig, so Vitest would not find these options there.
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    sequence: { sequencer: LongestFirst },
    ...(TEST_TITLES ? { testNamePattern: new RegExp(TEST_TITLES) } : {}),
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
          // Some start a program or derive a key; beside a type check they need more than the usual five seconds.
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
          // One stack each, which waits for blocks most of the time.
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
          // The first use builds the tools.
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
          // The first use installs Schemathesis; before the tests a job is paid and executed.
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
