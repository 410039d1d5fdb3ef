import { defineConfig } from 'vitest/config';

const conditions = ['@maker/source'];

/** The unit tests of mutated code, without the workspace's other projects: Stryker runs only one project. */
export default defineConfig({
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['{libs/{rules,receipt,signing,chain},apps/{maker-executor,job,payment-watcher,verify}}/src/**/*.spec.ts'],
    exclude: ['**/*.integration.spec.ts'],
    setupFiles: ['tests/mutation/repeatable.ts'],
    // A busy machine must not fail a test.
    testTimeout: 60_000,
  },
});
