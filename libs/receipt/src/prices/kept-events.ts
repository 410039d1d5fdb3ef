import type { EventLog, EventWeight } from '@maker/chain/venues';
import { compareMoments, type Moment, type PlacedEvent } from './moments.ts';

/** How a pool's shape weighs its events. */
export type WeightOf = (event: EventLog) => EventWeight | undefined;

/**
 * The events of one pool that decide its state at the given moments. A busy pool has many more, so memory stays flat: of the events that
 * set the whole state between two moments, only the last remains.
 */
export class KeptEvents {
  private readonly events: PlacedEvent[] = [];
  private readonly fees = new Set<string>();
  /** The newest transaction's events, if the next transaction may replace them. */
  private newest: readonly PlacedEvent[] = [];

  private readonly weightOf: WeightOf;
  private readonly moments: readonly Moment[];
  private readonly ownBlocks: ReadonlySet<number>;

  /**
   * @param moments in ascending order
   * @param ownBlocks blocks with an order: all their events remain
   */
  constructor(weightOf: WeightOf, moments: readonly Moment[], ownBlocks: ReadonlySet<number>) {
    this.weightOf = weightOf;
    this.moments = moments;
    this.ownBlocks = ownBlocks;
  }

  /** Takes the events of one transaction, later than all before. */
  add(events: readonly PlacedEvent[]): void {
    const [first] = events;
    const weighed = events.filter((event) => this.weightOf(event) !== undefined);
    if (!first) return;
    // Neighbours of an order show who traded around it.
    const isNeighbour = this.ownBlocks.has(first.blockNumber);
    if (weighed.length === 0 && !isNeighbour) return;
    const [before] = this.newest;
    const replaces = weighed.some((event) => this.weightOf(event) === 'state');
    if (before && !(replaces && this.isReplaced(before, first))) this.events.push(...this.newest);
    this.newest = [];
    if (isNeighbour) this.events.push(...events);
    else if (this.isReplaceable(weighed)) this.newest = weighed;
    else this.events.push(...weighed);
  }

  /** All kept events in order. */
  get all(): readonly PlacedEvent[] {
    return [...this.events, ...this.newest];
  }

  /** Whether only state and known fees are in a transaction. */
  private isReplaceable(events: readonly PlacedEvent[]): boolean {
    let isReplaceable = true;
    for (const event of events) {
      const weight = this.weightOf(event);
      if (weight === 'change') isReplaceable = false;
      if (weight !== 'fee') continue;
      const key = `${event.topics[0]} ${event.data}`;
      if (!this.fees.has(key)) isReplaceable = false;
      this.fees.add(key);
    }
    return isReplaceable;
  }

  /** Whether no moment lies between two transactions. */
  private isReplaced(earlier: PlacedEvent, later: PlacedEvent): boolean {
    const next = this.firstAfter(earlier);
    return next === undefined || compareMoments(next, later) > 0;
  }

  private firstAfter(event: Moment): Moment | undefined {
    let low = 0;
    let high = this.moments.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const moment = this.moments[middle];
      if (moment && compareMoments(moment, event) > 0) high = middle;
      else low = middle + 1;
    }
    return this.moments[low];
  }
}
