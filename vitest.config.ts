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

/** Integration and system tests run together, three files for each core: most of the time they wait for blocks. */
const SIDE_BY_SIDE = { maxWorkers: 6, sequence: { groupOrder: 1 } };

/**
 * The longest begin first, so that what is left at the end is short: files with a stack of their own, then those of services. A
 * fresh clone knows no times, and Vitest goes by the size of files, which says little: forty lines may be a whole job.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { system = [], service = [], other = [] } = Object.groupBy(await super.sort(files), kindOf);
    return [...system, ...service, ...other];
  }
}

function kindOf({ project, moduleId }: TestSpecification): 'system' | 'service' | 'other' {
  if (project.name === 'system') return 'system';
  return project.name === 'integration' && moduleId.includes('/apps/') ? 'service' : 'other';
}

export default defineConfig({
  // Specs belong to no package's tsconfig, from which these would be read.
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    sequence: { sequencer: LongestFirst },
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
          testTimeout: 60_000,
          hookTimeout: 60_000,
          ...SIDE_BY_SIDE,
          ...IN_ONE_PROCESS,
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: ['tests/system/**/*.spec.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // Jobs of one file side by side wait for blocks most of the time.
          maxConcurrency: 12,
          // A file that pays starts a stack of its own: on a shared one the payer's nonces would cross.
          ...SIDE_BY_SIDE,
        },
      },
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
        test: {
          name: 'adversary',
          sequence: { groupOrder: 6 },
          include: ['tests/adversary/*.spec.ts'],
          hookTimeout: 300_000,
          // One stack a file, and many jobs side by side in it.
          maxWorkers: 1,
          maxConcurrency: 16,
        },
      },
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
