import { describe, expect, it } from 'vitest';
import { Watchdog } from './watchdog.ts';

const MINUTE_MS = 60_000;

function minutes(watchdog: Watchdog, count: number): readonly string[] {
  let standing: readonly string[] = [];
  for (let minute = 0; minute < count; minute++) standing = watchdog.check(MINUTE_MS);
  return standing;
}

describe('the watchdog', () => {
  it('names a loop that has not come round for minutes', () => {
    const watchdog = new Watchdog();
    const [turning, hung] = [watchdog.watch('turning'), watchdog.watch('hung')];
    for (let minute = 0; minute < 4; minute++) {
      expect(watchdog.check(MINUTE_MS)).toEqual([]);
      turning.cameRound();
    }
    expect(watchdog.check(MINUTE_MS)).toEqual(['hung']);
    hung.cameRound();
    expect(watchdog.check(MINUTE_MS)).toEqual([]);
  });

  it('lets a loop pause as long as it says', () => {
    const watchdog = new Watchdog();
    const loop = watchdog.watch('hourly');
    loop.cameRound(60 * MINUTE_MS);
    expect(minutes(watchdog, 64)).toEqual([]);
    expect(minutes(watchdog, 1)).toEqual(['hourly']);
  });

  it('forgets a loop that has ended', () => {
    const watchdog = new Watchdog();
    watchdog.watch('ended').end();
    expect(minutes(watchdog, 60)).toEqual([]);
  });

  it('watches work until it ends or fails', async () => {
    const watchdog = new Watchdog();
    const hung = watchdog.during('hung', () => new Promise(() => undefined));
    await watchdog.during('done', async () => undefined);
    await expect(watchdog.during('failed', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(minutes(watchdog, 5)).toEqual(['hung']);
    void hung;
  });
});
