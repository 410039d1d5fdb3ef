import { describe, it } from 'vitest';
import { expectLawsInHistories, historySeed } from './histories.fixture.ts';

const seed = historySeed();

describe('random histories of a job (design § 5)', () => {
  it(`keep every law, seed ${seed}`, () => expectLawsInHistories(500, seed), 300_000);
});
