import { describeKillMatrix } from './kill-matrix.ts';
import { DETECTING_RUNS } from './runs.ts';

describeKillMatrix('detecting', ['job', 'payment-watcher'], DETECTING_RUNS);
