import { describeKillMatrix } from './kill-matrix.ts';
import { SENDING_RUNS } from './runs.ts';

describeKillMatrix('sending', ['api-gateway', 'maker-executor'], SENDING_RUNS);
