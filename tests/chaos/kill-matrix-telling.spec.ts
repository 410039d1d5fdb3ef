import { describeKillMatrix } from './kill-matrix.ts';
import { TELLING_RUNS } from './runs.ts';

describeKillMatrix('telling', ['webhook-sender'], TELLING_RUNS);
