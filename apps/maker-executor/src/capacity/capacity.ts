import { bookCapacity } from '@maker/contracts';
import { RequestClient, RequestFailedError } from '@maker/messaging';
import { Logger } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';

/** Capacity that all jobs share; the job service books it. */
@Injectable()
export class Capacity {
  constructor(
    private readonly requests: RequestClient,
    private readonly logger: Logger,
  ) {}

  /** Books the pace of a paid job until its end. @returns false without free capacity, undefined without an answer */
  async book(jobId: string): Promise<boolean | undefined> {
    try {
      return (await this.requests.request(bookCapacity, { jobId })).isBooked;
    } catch (error) {
      if (!(error instanceof RequestFailedError)) throw error;
      this.logger.warn({ err: error, jobId }, 'capacity not booked, the job service does not answer');
      return undefined;
    }
  }
}
