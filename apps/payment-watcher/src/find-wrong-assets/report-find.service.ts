import { paymentSeenOnHyperCore, paymentTokensFound } from '@maker/contracts';
import { Outbox } from '@maker/messaging';
import { Connection, inTransaction } from '@maker/persistence';
import { Clock } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { ReportedFind, WrongAsset } from '../watch/watch.ts';
import { WatchesRepository } from '../watch/watches.repository.ts';
import type { Finds, TokensFound } from './finds.ts';
import { searchAgainAt } from './search-again.ts';

/** Reports a find to its job, and schedules the next search for it. Source: docs/adr/0093. */
@Injectable()
export class ReportFindService {
  constructor(
    private readonly connection: Connection,
    private readonly watches: WatchesRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** @returns time of the find, ISO 8601 */
  async report<Kind extends WrongAsset>(kind: Kind, jobId: string, found: Finds[Kind]): Promise<string> {
    const nowMs = this.clock.now();
    const at = new Date(nowMs).toISOString();
    const next = isNothing(found)
      ? undefined
      : { reported: found, since: new Date(nowMs), againAt: searchAgainAt(nowMs, nowMs) };
    await inTransaction(this.connection, async (session) => {
      await this.record({ [kind]: found }, jobId, at, session);
      await this.watches.noteFind(kind, jobId, next, session);
    });
    return at;
  }

  /** Schedules the next search for a reported find that is still there, or could not be read. */
  async keep(kind: WrongAsset, jobId: string, find: ReportedFind): Promise<void> {
    const againAt = searchAgainAt(find.since.getTime(), this.clock.now());
    await this.watches.noteFind(kind, jobId, { ...find, againAt });
  }

  private async record(
    { hyperCore, tokens }: Partial<Finds>,
    jobId: string,
    at: string,
    session: ClientSession,
  ): Promise<void> {
    if (hyperCore !== undefined)
      await this.outbox.record(
        paymentSeenOnHyperCore,
        { jobId, data: { amountWei: hyperCore, checkedAt: at } },
        session,
      );
    if (tokens)
      await this.outbox.record(
        paymentTokensFound,
        { jobId, data: { tokens: [...tokens.tokens], searchedAt: at } },
        session,
      );
  }
}

function isNothing(found: string | TokensFound): boolean {
  return typeof found === 'string' ? found === '0' : found.tokens.length === 0;
}
