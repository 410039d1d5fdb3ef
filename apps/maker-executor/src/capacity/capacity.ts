import { bookCapacity } from '@maker/contracts';
import { type RequestClient, RequestFailedError } from '@maker/messaging';
import type { Logger } from '@maker/service-kit';

/** Capacity that all jobs share; the job service books it. */
export class Capacity {
  constructor(
    private readonly requests: RequestClient,
    private readonly logger: Logger,
  ) {}

  /** Books the pace of a paid job until its end. @returns false without free capacity, undefined without an answer */
  async isBooked(jobId: string): Promise<boolean | undefined> {
    try {
      return (await this.requests.request(bookCapacity, { jobId })).isBooked;
    } catch (error) {
      if (!(error instanceof RequestFailedError)) throw error;
      this.logger.warn({ err: error, jobId }, 'capacity not booked, the job service does not answer');
      return undefined;
    }
  }
}
