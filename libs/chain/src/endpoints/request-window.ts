/** What an endpoint allows: so many requests in any such span of time. */
export interface RequestLimit {
  readonly requests: number;
  /** Length of the span, ms. */
  readonly perMs: number;
}

/**
 * Broadcasts go before reads: a payment that waits costs more than a look that does. Background requests go last: strangers may
 * cause any number of them.
 */
export type Lane = 'broadcast' | 'read' | 'background';

/** Time between two background requests while reads use more than half of the limit, ms. */
const BACKGROUND_EVERY_MS = 10_000;

/** How the places of a window are given. */
export interface WindowShape {
  /** Bulkhead that only broadcasts may take. */
  readonly reserved?: number;
  /**
   * Reads keep a pace once half of the places are taken, so that a burst is not followed by a silence as long. For who
   * asks all the time; who asks now and then wants all answers at once.
   */
  readonly evenly?: boolean;
}

/** A request's place in the window. */
export interface WindowSlot {
  freeAtMs: number;
}

/**
 * Counts requests against a limit. A request holds its place from when it is sent until a whole span after its answer:
 * it reached the endpoint in between, so that by the endpoint's own clock no span holds more than the limit, however
 * long requests travel. Time is the caller's, in ms.
 */
export class RequestWindow {
  private readonly limit: RequestLimit | undefined;
  private readonly reserved: number;
  private readonly evenly: boolean;
  private slots: WindowSlot[] = [];
  private takenAtMs = Number.NEGATIVE_INFINITY;
  private backgroundAtMs = Number.NEGATIVE_INFINITY;
  private restUntilMs = Number.NEGATIVE_INFINITY;

  /** @param limit none where undefined */
  constructor(limit: RequestLimit | undefined, { reserved = 0, evenly = false }: WindowShape = {}) {
    this.limit = limit;
    this.reserved = reserved;
    this.evenly = evenly;
  }

  /** Sends nothing until then: the endpoint said that it was too much. */
  rest(untilMs: number): void {
    this.restUntilMs = Math.max(this.restUntilMs, untilMs);
  }

  rests(nowMs: number): boolean {
    return nowMs < this.restUntilMs;
  }

  /** How long the next request must wait, ms; infinite where an answer has to come first. */
  waitMs(nowMs: number, lane: Lane): number {
    return Math.max(this.restUntilMs - nowMs, this.placeInMs(nowMs, lane), 0);
  }

  take(nowMs: number, lane: Lane = 'read'): WindowSlot {
    const slot = { freeAtMs: Number.POSITIVE_INFINITY };
    if (lane === 'background') this.backgroundAtMs = nowMs;
    if (this.limit) this.slots.push(slot);
    this.takenAtMs = nowMs;
    return slot;
  }

  /** The request was answered, or failed. */
  answered(slot: WindowSlot, nowMs: number): void {
    if (this.limit) slot.freeAtMs = nowMs + this.limit.perMs;
  }

  private placeInMs(nowMs: number, lane: Lane): number {
    if (!this.limit) return 0;
    this.slots = this.slots.filter(({ freeAtMs }) => freeAtMs > nowMs);
    const { requests, perMs } = this.limit;
    const places = lane === 'broadcast' ? requests : Math.max(requests - this.reserved, 1);
    const used = this.slots.length;
    if (used >= places) {
      const frees = this.slots.map(({ freeAtMs }) => freeAtMs).sort((one, other) => one - other);
      return (frees[used - places] ?? 0) - nowMs;
    }
    if (lane === 'background' && used >= places / 2) return this.backgroundAtMs + BACKGROUND_EVERY_MS - nowMs;
    if (!this.evenly || lane === 'broadcast' || used < places / 2) return 0;
    return this.takenAtMs + perMs / requests - nowMs;
  }
}
