/** An endpoint's limit: a number of requests in any span of a given length. */
export interface RequestLimit {
  readonly requests: number;
  /** Length of the span, ms. */
  readonly perMs: number;
}

/**
 * Priority of a request. Broadcasts go before reads: a late payment costs more than a late read. Background requests go last, because
 * strangers can cause any number of them.
 */
export type Lane = 'broadcast' | 'read' | 'background';

/** Time between two background requests while reads use more than half of the limit, ms. */
const BACKGROUND_EVERY_MS = 10_000;

/** How a window assigns its places. */
export interface WindowShape {
  /** Places for broadcasts only (bulkhead). */
  readonly reserved?: number;
  /**
   * Spaces reads once half of the places are taken, so that no long pause follows a burst. For processes with constant requests;
   * processes with rare requests need all answers immediately.
   */
  readonly evenly?: boolean;
}

/** A request's place in the window. */
export interface WindowSlot {
  freeAtMs: number;
}

/**
 * Counts requests against a limit. A request holds its place from sending until a whole span after its answer. It reached the
 * endpoint in between. So no span has more requests than the limit by the endpoint's clock, with any latency.
 * The caller passes the time, ms.
 */
export class RequestWindow {
  private readonly limit: RequestLimit | undefined;
  private readonly reserved: number;
  private readonly evenly: boolean;
  private slots: WindowSlot[] = [];
  private takenAtMs = Number.NEGATIVE_INFINITY;
  private backgroundAtMs = Number.NEGATIVE_INFINITY;
  private restUntilMs = Number.NEGATIVE_INFINITY;

  /** @param limit undefined for no limit */
  constructor(limit: RequestLimit | undefined, { reserved = 0, evenly = false }: WindowShape = {}) {
    this.limit = limit;
    this.reserved = reserved;
    this.evenly = evenly;
  }

  /** Blocks all requests until a time, ms: the endpoint answered that there were too many. */
  rest(untilMs: number): void {
    this.restUntilMs = Math.max(this.restUntilMs, untilMs);
  }

  rests(nowMs: number): boolean {
    return nowMs < this.restUntilMs;
  }

  /** Wait of the next request, ms; infinite where an answer must arrive first. */
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
