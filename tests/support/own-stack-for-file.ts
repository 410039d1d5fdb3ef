import type { RunningStack } from '@maker/local-stack';
import { afterAll, beforeAll } from 'vitest';
import { startOwnStack } from './own-stack.ts';
import { ProductClient } from './product-client.ts';

/** Longest start of a stack on a busy machine. */
const START_MS = 200_000;

/** The stack of one file's tests, available from the first test. */
export interface OwnStack {
  readonly running: RunningStack;
  readonly product: ProductClient;
}

/** A separate stack for all tests of a file. Parameters are those of {@link startOwnStack}. */
export function ownStackForFile(...settings: Parameters<typeof startOwnStack>): OwnStack {
  let started: OwnStack | undefined;
  beforeAll(async () => {
    const running = await startOwnStack(...settings);
    started = { running, product: new ProductClient(running.stack) };
  }, START_MS);
  afterAll(() => started?.running.stop());
  const own = (): OwnStack => {
    if (!started) throw new Error('the stack of this file has not started');
    return started;
  };
  return {
    get running() {
      return own().running;
    },
    get product() {
      return own().product;
    },
  };
}
