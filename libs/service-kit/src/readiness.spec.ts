import { expect, it } from 'vitest';
import { Readiness } from './readiness.ts';

it('is not ready while it starts, while a dependency fails, and from the begin of a shutdown', async () => {
  const readiness = new Readiness();
  let reachable = false;
  readiness.add('mongo', () => {
    if (!reachable) throw new Error('not connected');
  });
  expect((await readiness.report()).ready).toBe(false);
  readiness.started();
  expect(await readiness.report()).toEqual({ ready: false, failing: { mongo: 'not connected' } });
  reachable = true;
  expect(await readiness.report()).toEqual({ ready: true, failing: {} });
  readiness.drain();
  expect((await readiness.report()).ready).toBe(false);
});
