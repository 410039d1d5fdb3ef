/** Repeatable randomness: the same seed gives the same choices. */
export class Seeded {
  private state: number;

  /** @param seed of all choices; `CHAOS_SEED` by default, else random */
  constructor(readonly seed = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 1_000_000))) {
    this.state = seed;
  }

  /** @param round the first uses the seed in `CHAOS_SEED`, if any, and each later one the next */
  static ofRound(round: number): Seeded {
    const { seed } = new Seeded();
    return new Seeded(process.env.CHAOS_SEED ? seed + round - 1 : seed);
  }

  /** From 0 to below 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /** One of several. */
  pick<Choice>(choices: readonly Choice[]): Choice {
    const choice = choices[this.between(0, choices.length - 1)];
    if (choice === undefined) throw new RangeError('nothing to choose from');
    return choice;
  }

  /** All of them, in random order. */
  shuffle<Choice>(choices: readonly Choice[]): Choice[] {
    const left = [...choices];
    return choices.map(() => left.splice(this.between(0, left.length - 1), 1)[0] as Choice);
  }
}
