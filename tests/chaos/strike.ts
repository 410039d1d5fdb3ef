import type { ServiceName } from '@maker/local-stack';
import type { ChaosStack } from './chaos-stack.ts';
import type { ArmedFailPoint } from './fail-points/fail-point.ts';
import { type Cell, nameOf } from './fail-points/fail-point-matrix.ts';

/** Deaths that were ordered for one run. */
export interface Strikes {
  /** Ends it. @returns what came of each cell */
  end(): { readonly reached: readonly Cell[]; readonly missed: readonly Cell[] };
}

/** Lets services die at fail points: each at its cells one after the other, the next once it is back. */
export function strike({ arming, keeper }: ChaosStack, hands: readonly (readonly Cell[])[]): Strikes {
  const queues = new Map<ServiceName, Cell[]>();
  for (const [first, ...rest] of hands) if (first) queues.set(first.service, [first, ...rest]);
  const armed: { readonly cell: Cell; readonly at: ArmedFailPoint }[] = [];
  const armNext = (service: ServiceName): void => {
    const cell = queues.get(service)?.shift();
    if (!cell) return;
    const { point, moment, passing } = cell;
    armed.push({ cell, at: arming.arm(service, { point, moment, passing }) });
  };
  keeper.onRestarted = armNext;
  for (const service of queues.keys()) armNext(service);
  return {
    end() {
      keeper.onRestarted = () => undefined;
      for (const service of queues.keys()) arming.disarm(service);
      const hasDied = ({ cell, at }: (typeof armed)[number]) =>
        arming.deaths(cell.service).some(({ id }) => id === at.id);
      return {
        reached: armed.filter(hasDied).map(({ cell }) => cell),
        missed: [...armed.filter((one) => !hasDied(one)).map(({ cell }) => cell), ...[...queues.values()].flat()],
      };
    },
  };
}

/** In words, for a report. */
export function describeCells(hands: readonly (readonly Cell[])[]): string {
  const cells = hands.flat().map((cell) => `${nameOf(cell)} #${cell.passing}`);
  return cells.join('; ') || 'no fail point is left';
}
