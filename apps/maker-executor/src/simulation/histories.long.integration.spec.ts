import { describe, it } from 'vitest';
import { expectLawsInHistories, historySeed } from './histories.fixture.ts';

const seed = historySeed();

describe('10,000 random histories of a job (design § 5)', () => {
  it(`keep every law, seed ${seed}`, () => expectLawsInHistories(10_000, seed), 1_800_000);
});
