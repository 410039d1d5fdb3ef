import { defineConfig } from 'vitest/config';

/** Workspace packages are tested from their sources. */
const conditions = ['@maker/source'];

export default defineConfig({
  // Specs belong to no package's tsconfig, from which these would be read.
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            '{apps,libs}/*/src/**/*.spec.{ts,tsx}',
            'tools/**/*.spec.ts',
            'tests/documents/*.spec.ts',
            'tests/deploy/observability/*.spec.ts',
          ],
          exclude: ['**/*.integration.spec.ts', '**/dist/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['{apps,libs}/*/src/**/*.integration.spec.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // More than there are cores: most of the time they wait for blocks.
          maxWorkers: 3,
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: ['tests/system/**/*.spec.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // Two files at a time, since most of a job is waiting for blocks. One file alone may pay on the shared stack
          // (whole-job): the payer's nonces must not cross. Others that pay start a stack of their own.
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: {
          name: 'chaos',
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
          name: 'deploy',
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
          include: ['tests/api-fuzz/*.spec.ts'],
          // Schemathesis is installed on first use, and a job is paid and executed before it begins.
          hookTimeout: 900_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'observability',
          include: ['tests/deploy/observability/*.prometheus.ts'],
          testTimeout: 60_000,
          hookTimeout: 180_000,
          maxWorkers: 1,
        },
      },
    ],
  },
});
