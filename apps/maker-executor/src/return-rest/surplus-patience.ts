import { Injectable } from '@nestjs/common';

/**
 * For how long a wallet has held money that no deposit explains. Counted from when it was first seen and not from the
 * last of it, so that nobody can hold up the end of a job by sending a little again and again.
 */
@Injectable()
export class SurplusPatience {
  private readonly sinceBlock = new Map<string, number>();

  /** @param headNumber of this tick @returns blocks since the first tick at which something was unexplained */
  waited(jobId: string, headNumber: number): number {
    const since = this.sinceBlock.get(jobId) ?? headNumber;
    this.sinceBlock.set(jobId, since);
    return headNumber - since;
  }

  /** All is explained, or the execution has ended. */
  forget(jobId: string): void {
    this.sinceBlock.delete(jobId);
  }
}
