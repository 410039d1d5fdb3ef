import { ALL_SERVICES } from '@maker/local-stack';
import type { Arming } from './fail-points/arming.ts';
import { type Cell, nameOf } from './fail-points/fail-point-matrix.ts';

/** Deaths ordered for one run. */
export interface Strikes {
  /** Ends the deaths. @returns the result of each cell */
  end(): { readonly reached: readonly Cell[]; readonly missed: readonly Cell[] };
}

/** Makes services die at fail points, each at its cells one after another. */
export function strike(arming: Arming, hands: readonly (readonly Cell[])[]): Strikes {
  for (const service of ALL_SERVICES) arming.disarm(service);
  const ordered = hands.flatMap((cells) => {
    const [first] = cells;
    if (!first) return [];
    const points = cells.map(({ point, moment, passing }) => ({ point, moment, passing }));
    const armed = arming.arm(first.service, points);
    return cells.map((cell, index) => ({ cell, id: armed[index]?.id }));
  });
  return {
    end() {
      for (const { cell } of ordered) arming.disarm(cell.service);
      const hasDied = ({ cell, id }: (typeof ordered)[number]) =>
        arming.deaths(cell.service).some((death) => death.id === id);
      return {
        reached: ordered.filter(hasDied).map(({ cell }) => cell),
        missed: ordered.filter((one) => !hasDied(one)).map(({ cell }) => cell),
      };
    },
  };
}

/** Names of cells, for a report. */
export function describeCells(cells: readonly Cell[]): string {
  return cells.map((cell) => `${nameOf(cell)} #${cell.passing}`).join('; ') || 'none';
}
