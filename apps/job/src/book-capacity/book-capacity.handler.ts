import { bookCapacity } from '@maker/contracts';
import { HandleRequest } from '@maker/messaging';
import { Connection, inTransaction } from '@maker/persistence';
import { bookedFor, fitsAgain } from '@maker/rules';
import { Controller } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { z } from 'zod';
import { CapacityRepository, partiesOf } from '../job/capacity.repository.ts';
import { JobsRepository } from '../job/jobs.repository.ts';

/** Answers `job.capacity.book`: books the pace of a paid job from its fee to its end. A repeated request changes nothing. */
@Controller()
export class BookCapacityHandler {
  constructor(
    private readonly connection: Connection,
    private readonly jobs: JobsRepository,
    private readonly capacity: CapacityRepository,
  ) {}

  @HandleRequest(bookCapacity)
  async book({ jobId }: z.output<typeof bookCapacity.request>): Promise<z.output<typeof bookCapacity.reply>> {
    return { isBooked: await inTransaction(this.connection, (session) => this.isBooked(jobId, session)) };
  }

  private async isBooked(jobId: string, session: ClientSession): Promise<boolean> {
    const job = await this.jobs.get(jobId, session);
    const { status, booked: pace } = job;
    if (status !== 'active') return false;
    // A plan of an earlier release has no pace.
    if (!pace || (await this.capacity.use(jobId, { isHeld: true }, session))) return true;
    await this.capacity.takeTurn(session);
    const [whole, bookings] = [await this.capacity.whole(session), await this.capacity.bookings(session)];
    const parties = partiesOf({ ...job, network: await this.capacity.networkOf(jobId, session) });
    if (!fitsAgain(whole, bookedFor(whole, bookings, parties), pace)) return false;
    return this.capacity.use(jobId, { isHeld: false }, session);
  }
}
