import { it } from 'vitest';
import { DEVIATIONS } from '../deviating-executors.fixture.ts';
import { expectCaught, expectHonest } from './executors.fixture.ts';

const LONG_MS = 120_000;

it('catches 1,000 random executors that break a rule each', () => expectCaught(DEVIATIONS, 1000), LONG_MS);

it('accepts 300 random executors that break none', () => expectHonest(300), LONG_MS);
