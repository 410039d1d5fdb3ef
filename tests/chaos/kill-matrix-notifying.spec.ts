import { describeKillMatrix } from './kill-matrix.ts';
import { NOTIFYING_RUNS } from './runs.ts';

describeKillMatrix('notifying', ['webhook-sender'], NOTIFYING_RUNS);
