import { type Cell, describeCells } from './hostile-cells.ts';
import { HOSTILE_OWNERS } from './hostile-owners.ts';

/** Two at a time, but for both endpoints of one service: then the chain is what they say. */
const PAIRS: readonly Cell[] = HOSTILE_OWNERS.flatMap((one, index) =>
  HOSTILE_OWNERS.slice(index + 1)
    .filter(({ endpointOf }) => endpointOf === undefined || endpointOf !== one.endpointOf)
    .map((other) => [one, other]),
);

describeCells('the owners of', PAIRS);
