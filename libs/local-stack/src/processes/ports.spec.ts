import { expect, it, vi } from 'vitest';

/** Stacks of other test files start at the same time, each in its own process. */
const PROCESSES = 8;
const PORTS_EACH = 300;

it('hands out no port twice', async () => {
  const processes = [];
  for (let count = 0; count < PROCESSES; count += 1) {
    // Forgets the other instances' ports, like a new process.
    vi.resetModules();
    processes.push(await import('./ports.ts'));
  }
  const ports = await Promise.all(
    processes.flatMap(({ freePort }) => Array.from({ length: PORTS_EACH }, () => freePort())),
  );
  expect(new Set(ports).size).toBe(PROCESSES * PORTS_EACH);
});
