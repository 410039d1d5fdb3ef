import type { ServiceName } from '@maker/local-stack';
import type { Seeded } from '../../support/seeded.ts';
import type { Moment } from './fail-point.ts';

/** One cell of the matrix: where a service is to die, on which side of it, and at which passing. */
export interface Cell {
  readonly service: ServiceName;
  readonly point: string;
  readonly moment: Moment;
  readonly passing: number;
}

/** How often each service passed each fail point in a quiet run. */
export type Recording = ReadonlyMap<ServiceName, ReadonlyMap<string, number>>;

/** A later passing is chosen among so many: a death of another service may make them fewer than they were in quiet. */
const LATEST_PASSING = 4;

/** Deaths in one run: more would tell less of each. */
const MOST_CELLS_PER_RUN = 3;

/** Every fail point that services were seen to pass, before and after it, in an order of chance; and which are done. */
export class FailPointMatrix {
  private readonly cells: readonly Cell[];
  private readonly queues = new Map<ServiceName, Cell[]>();
  private readonly reachedCells = new Set<string>();

  /** @param recordings of quiet runs: a point counts where each of them passed it */
  constructor(
    recordings: readonly Recording[],
    private readonly seeded: Seeded,
  ) {
    const [first] = recordings;
    for (const [service, points] of first ?? []) {
      const cells = [...points.keys()].sort().flatMap((point) => {
        const passings = recordings.map((recording) => recording.get(service)?.get(point) ?? 0);
        if (passings.includes(0)) return [];
        const passing = () => seeded.between(1, Math.min(LATEST_PASSING, ...passings));
        return (['before', 'after'] as const).map((moment) => ({ service, point, moment, passing: passing() }));
      });
      this.queues.set(service, seeded.shuffle(cells));
    }
    this.cells = [...this.queues.values()].flat();
  }

  /** Cells in all. */
  get size(): number {
    return this.cells.length;
  }

  /** Fail points, each of which is two cells. */
  get points(): number {
    return this.size / 2;
  }

  get reached(): number {
    return this.reachedCells.size;
  }

  /** Takes what the next of some runs is to reach, by service; when all was dealt, any cell once more. */
  deal(runsLeft: number): readonly (readonly Cell[])[] {
    const left = [...this.queues.values()].reduce((sum, { length }) => sum + length, 0);
    if (left === 0) return [[this.seeded.pick(this.cells)]];
    const hands = new Map<ServiceName, Cell[]>();
    for (let count = Math.min(Math.ceil(left / Math.max(1, runsLeft)), MOST_CELLS_PER_RUN); count > 0; count--) {
      const [longest] = [...this.queues.values()].sort((one, other) => other.length - one.length);
      const cell = longest?.shift();
      if (cell) hands.set(cell.service, [...(hands.get(cell.service) ?? []), cell]);
    }
    return [...hands.values()];
  }

  noteReached(cell: Cell): void {
    this.reachedCells.add(nameOf(cell));
  }

  /** A cell was not reached, since the deaths before it changed the course of the run: it is dealt again, from its first passing. */
  noteMissed(cell: Cell): void {
    this.queues.get(cell.service)?.push({ ...cell, passing: 1 });
  }

  /** Cells that are not reached yet, by name. */
  unreached(): readonly string[] {
    return this.cells.map(nameOf).filter((name) => !this.reachedCells.has(name));
  }
}

/** Such as 'job before mongo:insert:jobs'. */
export function nameOf({ service, point, moment }: Cell): string {
  return `${service} ${moment} ${point}`;
}
