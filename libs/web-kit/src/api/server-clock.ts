/** Half of the resolution of a `Date` header, ms. */
const HEADER_MIDDLE_MS = 500;

/** An answer that took longer than this says little of when it was given, ms. */
const SLOW_MS = 3000;

/** Where this machine's clocks may be read. */
export interface MachineClocks {
  /** Wall clock, ms; a visitor may set it to anything, at any time. */
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
 * The server's time, whatever the visitor's clock says: measured on each answer, and carried on between answers. Deadlines and
 * countdowns go by it.
 */
export class ServerClock {
  private readonly clocks: MachineClocks;
  private measured?: Measured;

  constructor(clocks: MachineClocks = MACHINE) {
    this.clocks = clocks;
  }

  /**
   * Learns the time from an answer.
   * @param date of its `Date` header @param tookMs from the request to the answer, ms
   */
  learn(date: string | null, tookMs: number): void {
    const headerMs = Date.parse(date ?? '');
    if (Number.isNaN(headerMs)) return;
    if (tookMs > SLOW_MS) return;
    const serverMs = headerMs + HEADER_MIDDLE_MS + tookMs / 2;
    // A steady clock does not run ahead of the server's: an answer that says so was given earlier, and kept on its way.
    if (this.measured && serverMs < this.bySteady(this.measured) - SLOW_MS) return;
    // A header tells no more than whole seconds: within them the old measure stays, so that no second is shown twice.
    if (this.measured && !this.hasJumped() && Math.abs(serverMs - this.now()) < 2 * HEADER_MIDDLE_MS) return;
    this.measured = { serverMs, wallMs: this.clocks.wall(), steadyMs: this.clocks.steady() };
  }

  /** The server's time, ms since 1970; the visitor's before the first answer. */
  now(): number {
    const { measured } = this;
    if (!measured) return this.clocks.wall();
    // After a sleep only the wall clock knows how long it was.
    return Math.max(this.bySteady(measured), this.byWall(measured));
  }

  /** Whether the machine slept, or its clock was set, since the last measure: which of them, the next answer tells. */
  hasJumped(): boolean {
    const { measured } = this;
    return measured !== undefined && Math.abs(this.byWall(measured) - this.bySteady(measured)) > SLOW_MS;
  }

  /** A moment of the visitor's clock, ms, in the server's time. */
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
