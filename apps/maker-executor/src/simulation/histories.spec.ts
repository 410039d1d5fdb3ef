import { describe, it } from 'vitest';
import { historySeed, replayHistories } from './histories.fixture.ts';

const seed = historySeed();

describe('random histories of a job (design § 5)', () => {
  it(`keep every law, seed ${seed}`, () => replayHistories(500, seed), 300_000);
});
