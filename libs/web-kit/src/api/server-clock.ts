/** Half of the resolution of a `Date` header, ms. */
const HEADER_MIDDLE_MS = 500;

/** An answer that took longer is too inaccurate to measure the server's time, ms. */
const SLOW_MS = 3000;

/** Readers of this machine's clocks. */
export interface MachineClocks {
  /** Wall clock, ms; the visitor may change it at any time. */
  readonly wall: () => number;
  /** Never goes back, but may stand still while the machine sleeps; ms. */
  readonly steady: () => number;
}

const MACHINE: MachineClocks = { wall: () => Date.now(), steady: () => performance.now() };

interface Measured {
  readonly serverMs: number;
  readonly wallMs: number;
  readonly steadyMs: number;
}

/**
 * The server's time, independent of the visitor's clock. Each answer measures it, and the machine's clocks continue it. All
 * deadlines and countdowns use it.
 */
export class ServerClock {
  private readonly clocks: MachineClocks;
  private measured?: Measured;

  constructor(clocks: MachineClocks = MACHINE) {
    this.clocks = clocks;
  }

  /**
   * Measures the server's time by an answer.
   * @param date its `Date` header @param tookMs from the request to the answer, ms
   */
  learn(date: string | null, tookMs: number): void {
    const headerMs = Date.parse(date ?? '');
    if (Number.isNaN(headerMs)) return;
    if (tookMs > SLOW_MS) return;
    const serverMs = headerMs + HEADER_MIDDLE_MS + tookMs / 2;
    // The steady clock never runs ahead of the server's. An answer with an earlier time was cached on its way.
    if (this.measured && serverMs < this.bySteady(this.measured) - SLOW_MS) return;
    // A header has whole seconds only. Within that accuracy the old measurement stays, so that no second is shown twice.
    if (this.measured && !this.hasJumped() && Math.abs(serverMs - this.now()) < 2 * HEADER_MIDDLE_MS) return;
    this.measured = { serverMs, wallMs: this.clocks.wall(), steadyMs: this.clocks.steady() };
  }

  /** The server's time, ms since 1970; before the first answer, the visitor's. */
  now(): number {
    const { measured } = this;
    if (!measured) return this.clocks.wall();
    // After a sleep only the wall clock includes its duration.
    return Math.max(this.bySteady(measured), this.byWall(measured));
  }

  /** Whether the machine slept, or its clock was changed, since the last measurement. Only the next answer shows which. */
  hasJumped(): boolean {
    const { measured } = this;
    return measured !== undefined && Math.abs(this.byWall(measured) - this.bySteady(measured)) > SLOW_MS;
  }

  /** Converts a time of the visitor's clock, ms, to the server's. */
  ofVisitor(wallMs: number): number {
    return wallMs + this.now() - this.clocks.wall();
  }

  private byWall({ serverMs, wallMs }: Measured): number {
    return serverMs + this.clocks.wall() - wallMs;
  }

  private bySteady({ serverMs, steadyMs }: Measured): number {
    return serverMs + this.clocks.steady() - steadyMs;
  }
}
