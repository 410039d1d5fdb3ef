import { expect, it, vi } from 'vitest';

/** Stacks of other test files start at the same time, each in a process of its own. */
const PROCESSES = 8;
const PORTS_EACH = 300;

it('hands out no port twice', async () => {
  const processes = [];
  for (let count = 0; count < PROCESSES; count += 1) {
    // Knows as little of the others as another process would.
    vi.resetModules();
    processes.push(await import('./ports.ts'));
  }
  const ports = await Promise.all(
    processes.flatMap(({ freePort }) => Array.from({ length: PORTS_EACH }, () => freePort())),
  );
  expect(new Set(ports).size).toBe(PROCESSES * PORTS_EACH);
});
