/** Blocks after the first look at an ended wallet; twice as many after each further one, up to ten minutes of blocks. */
const FIRST_PAUSE_BLOCKS = 5;
const LONGEST_PAUSE_BLOCKS = 600;

/** A wallet that nobody looked at for so long begins anew. */
const FORGOTTEN_AFTER_BLOCKS = 2 * LONGEST_PAUSE_BLOCKS;

interface Looks {
  readonly atBlock: number;
  readonly count: number;
}

/**
 * When an ended wallet is looked at again, which costs requests to the chain: ever more rarely, so that whoever sends dust to it again
 * and again pays more for that than it costs us. Source: docs/threats.md, law 3.
 */
export class LookPauses {
  /** By job, the oldest look first. */
  private readonly looks = new Map<string, Looks>();

  /** Whether it is time for the next look at a wallet. */
  isOver(jobId: string, headNumber: number): boolean {
    const before = this.looks.get(jobId);
    return !before || headNumber < before.atBlock || headNumber - before.atBlock >= pauseAfter(before);
  }

  /** @param isForDust whether nothing that is worth a look was known of: the next pause is longer then */
  looked(jobId: string, headNumber: number, isForDust: boolean): void {
    const count = (this.looks.get(jobId)?.count ?? 0) + (isForDust ? 1 : 0);
    this.looks.delete(jobId);
    this.looks.set(jobId, { atBlock: headNumber, count });
    for (const [oldest, { atBlock }] of this.looks) {
      if (headNumber - atBlock < FORGOTTEN_AFTER_BLOCKS) return;
      this.looks.delete(oldest);
    }
  }
}

function pauseAfter({ count }: Looks): number {
  return Math.min(LONGEST_PAUSE_BLOCKS, FIRST_PAUSE_BLOCKS * 2 ** Math.max(0, count - 1));
}
