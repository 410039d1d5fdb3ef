import { type Cell, describeCells } from './hostile-cells.ts';
import { HOSTILE_OWNERS } from './hostile-owners.ts';

/** Two at a time, except both endpoints of one service, which then control its view of the chain. */
const PAIRS: readonly Cell[] = HOSTILE_OWNERS.flatMap((one, index) =>
  HOSTILE_OWNERS.slice(index + 1)
    .filter(({ endpointOf }) => endpointOf === undefined || endpointOf !== one.endpointOf)
    .map((other) => [one, other]),
);

describeCells('the owners of', PAIRS);
