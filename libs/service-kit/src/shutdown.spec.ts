import { expect, it, onTestFinished, vi } from 'vitest';
import { createLogger } from './logger.ts';
import { Readiness } from './readiness.ts';
import { closeOnSignal } from './shutdown.ts';

/** Runs a service and sends SIGTERM. @param close closes its application @returns its exit status and its output */
async function end(close: () => Promise<void>) {
  const said: string[] = [];
  const logger = createLogger('job', 'info', { write: (line) => void said.push(line) });
  const before = process.listeners('SIGTERM');
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
  closeOnSignal({ get: () => new Readiness() as never, close }, { drainMs: 0, longestMs: 50 }, logger);
  const own = process.listeners('SIGTERM').filter((listener) => !before.includes(listener));
  onTestFinished(() => {
    exit.mockRestore();
    for (const listener of own) process.off('SIGTERM', listener);
  });
  for (const listener of own) listener('SIGTERM');
  await vi.waitFor(() => expect(exit).toHaveBeenCalled(), 5_000);
  return { status: exit.mock.calls, said: said.join('') };
}

it('ends a service after its work', async () => {
  const { status, said } = await end(async () => undefined);
  expect(status).toEqual([[0]]);
  expect(said).toContain('stopped');
});

it('ends a hung service and logs it', async () => {
  const { status, said } = await end(() => new Promise(() => undefined));
  expect(status).toEqual([[1]]);
  expect(said).toContain('no shutdown within 50 ms');
});
