import { defineConfig } from 'vitest/config';

const conditions = ['@maker/source'];

/** The unit tests beside what is mutated, without the other projects of the workspace: Stryker runs one only. */
export default defineConfig({
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['{libs/{rules,receipt,signing,chain},apps/{maker-executor,job,payment-watcher,verify}}/src/**/*.spec.ts'],
    exclude: ['**/*.integration.spec.ts'],
    setupFiles: ['tests/mutation/repeatable.ts'],
    // A busy machine is no fault.
    testTimeout: 60_000,
  },
});
