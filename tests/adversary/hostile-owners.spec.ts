import { type Cell, describeCells } from './hostile-cells.ts';
import { executorEndpoint, FALSE_BALANCE, falseTimes, HOSTILE_OWNERS, TRADING_LIES } from './hostile-owners.ts';

const ALONE: readonly Cell[] = HOSTILE_OWNERS.map((owner) => [owner]);

/** One lie at a time, of the first endpoint: one lie could hide another. */
const ONE_LIE: readonly Cell[] = [
  [FALSE_BALANCE],
  ...Object.entries(TRADING_LIES).map(([what, lies]) => [executorEndpoint(0, lies, what)]),
];

/** Every job meets these lies. */
const FALSE_TIMES: readonly Cell[] = [[falseTimes(0, 30)], [falseTimes(1, -30)]];

describeCells('the owner of', [...ALONE, ...ONE_LIE], FALSE_TIMES);
