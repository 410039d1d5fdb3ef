import type { ServiceName } from '@maker/local-stack';
import type { Seeded } from '../../support/seeded.ts';
import type { Moment } from './fail-point.ts';

/** One cell of the matrix: the fail point where a service dies, the side of it, and the passing. */
export interface Cell {
  readonly service: ServiceName;
  readonly point: string;
  readonly moment: Moment;
  readonly passing: number;
}

/** How often each service passed each fail point in a run without faults. */
export type Recording = ReadonlyMap<ServiceName, ReadonlyMap<string, number>>;

/** Latest passing for a cell: after another service's death there may be fewer passings than in a run without faults. */
const LATEST_PASSING = 4;

/** Deaths in one run: with more, each result says less. */
const MOST_CELLS_PER_RUN = 3;

/** Every fail point that services passed, before and after it, in random order, and which cells are done. */
export class FailPointMatrix {
  private readonly cells: readonly Cell[];
  private readonly queues = new Map<ServiceName, Cell[]>();
  private readonly reachedCells = new Set<string>();

  /** @param recordings of runs without faults: a point counts if each run passed it */
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

  /** Number of all cells. */
  get size(): number {
    return this.cells.length;
  }

  /** Fail points; each has two cells. */
  get points(): number {
    return this.size / 2;
  }

  get reached(): number {
    return this.reachedCells.size;
  }

  /** Takes the cells of the next run, by service; when all were dealt, any cell again. */
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

  /** Deals a cell again, from its first passing. Earlier deaths changed the course of the run, so it was not reached. */
  noteMissed(cell: Cell): void {
    this.queues.get(cell.service)?.push({ ...cell, passing: 1 });
  }

  /** Names of cells that were not reached yet. */
  unreached(): readonly string[] {
    return this.cells.map(nameOf).filter((name) => !this.reachedCells.has(name));
  }
}

/** Such as 'job before mongo:insert:jobs'. */
export function nameOf({ service, point, moment }: Cell): string {
  return `${service} ${moment} ${point}`;
}
