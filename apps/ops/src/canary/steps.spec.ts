import { createPublicClient, http } from 'viem';
import { describe, expect, it } from 'vitest';
import { Refusal, StepFailure, Steps } from './steps.ts';

const LONG_MS = 60_000;

/** Steps whose time the test ends. */
function steps() {
  const ended = new AbortController();
  return { steps: new Steps(LONG_MS, ended.signal), end: () => ended.abort() };
}

describe('a step of a round', () => {
  it('retries a lost request and a missing value', async () => {
    const { steps: own } = steps();
    const answers = [() => Promise.reject(new Error('reset')), async () => undefined, async () => 'seen'];
    const seen = own.take('detection', 0, () => answers.shift()?.() ?? Promise.resolve('too often'));
    await expect(seen).resolves.toBe('seen');
    expect([...own.tookMs.keys()]).toEqual(['detection']);
  });

  it('fails immediately, without a duration, when refused', async () => {
    const { steps: own } = steps();
    const refused = own.take('token', LONG_MS, () => Promise.reject(new Refusal('no liquidity')));
    await expect(refused).rejects.toMatchObject({ step: 'token', message: 'no liquidity' });
    expect(own.tookMs.size).toBe(0);
  });

  it('names the last obstacle after a timeout', async () => {
    const { steps: own, end } = steps();
    const tries = [
      () => Promise.reject(new Error('the API answers 503: job does not answer')),
      () => {
        end();
        return Promise.reject(new Error('This operation was aborted'));
      },
    ];
    const failing = own.take('job', 0, () => tries.shift()?.() ?? Promise.resolve(undefined));
    await expect(failing).rejects.toMatchObject({ step: 'job', message: 'the API answers 503: job does not answer' });
    await expect(own.take('stop', 0, async () => true)).rejects.toMatchObject({ step: 'stop' });
  });

  it('never prints an RPC URL', async () => {
    const { steps: own, end } = steps();
    const client = createPublicClient({ transport: http('http://127.0.0.1:9/v1/secret-key', { retryCount: 0 }) });
    let tries = 0;
    const failure = await own
      .take('funds', 0, async () => {
        tries += 1;
        if (tries > 1) end();
        return client.getBlockNumber({ cacheTime: 0 });
      })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StepFailure);
    expect((failure as StepFailure).message).toMatch(/HTTP request failed/);
    expect((failure as StepFailure).message).not.toContain('secret-key');
  });
});
