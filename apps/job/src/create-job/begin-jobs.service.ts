import { randomBytes } from 'node:crypto';
import { type createJob, jobCreated } from '@maker/contracts';
import { assertBeforeDeadline, Outbox } from '@maker/messaging';
import { Connection, inTransaction, isDuplicateKey } from '@maker/persistence';
import { type BatchPiece, BatchQueue, Clock, Logger } from '@maker/service-kit';
import { walletAddresses } from '@maker/signing/derivation';
import { Inject, Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { z } from 'zod';
import { AuditRepository } from '../audit/audit.repository.ts';
import { JOB_CONFIGURATION, type JobConfiguration } from '../configuration.ts';
import type { Job } from '../job/job.ts';
import { type ClaimedJob, type IdempotencyClaim, JobsRepository } from '../job/jobs.repository.ts';
import { hashStopSecret, newStopSecret } from '../job/stop-secret.ts';
import { JobMetrics } from '../job.metrics.ts';
import { MarketsRepository } from '../plan/markets.repository.ts';
import type { OfferedPlan } from '../plan/plans.service.ts';
import { createdView } from '../views/job-views.ts';
import {
  assertFewUnpaid,
  assertNoWallet,
  type JobRequest,
  jobUnderClaim,
  newJob,
  paymentDeadline,
} from './create-job.ts';
import { MakeRoomService, type Room } from './make-room.service.ts';
import { networksOf } from './network-shares.ts';
import { UnpaidBounds } from './unpaid-bounds.ts';
import { WalletIndexesService } from './wallet-indexes.service.ts';

/** So many clients at their limit of unpaid jobs fill the places of all. */
export const MOST_CLIENTS_AT_LIMIT = 250;

/** A job that somebody asked for, and all that others had to tell of it. */
export interface Creation {
  readonly request: JobRequest;
  readonly claim: IdempotencyClaim | undefined;
  readonly offer: OfferedPlan;
  readonly command: Pick<z.output<typeof createJob.request>, 'apiKeyName' | 'clientAddress'>;
}

/** A job, and its secret where it is new. */
export interface BegunJob {
  readonly job: Job;
  readonly stopSecret?: string;
}

/** What is known of a batch of creations in the snapshot of its transaction. */
interface Known {
  readonly claimed: readonly ClaimedJob[];
  /** Return addresses that are wallets of jobs, in lower case. */
  readonly wallets: ReadonlySet<string>;
  readonly nextIndex: number;
}

/** A creation that is not refused, with the job that it becomes. */
interface Draft {
  readonly creation: Creation;
  readonly onBehalf: BatchPiece<Creation>['onBehalf'];
  readonly job: Job;
  readonly stopSecret: string;
}

/** Of all clients together. */
const ALL = '';

/**
 * Makes jobs. Every creation writes the address counter, so that at the same time they would only undo each other: those that come
 * together share one transaction, which costs little more than that of a single one.
 */
@Injectable()
export class BeginJobsService {
  private readonly creations = new BatchQueue<Creation, BegunJob>((batch) => this.beginBatch(batch));
  private readonly unpaid = new UnpaidBounds();
  private readonly addressAt: ReturnType<typeof walletAddresses>;

  constructor(
    @Inject(JOB_CONFIGURATION) private readonly configuration: JobConfiguration,
    private readonly connection: Connection,
    private readonly markets: MarketsRepository,
    private readonly jobs: JobsRepository,
    private readonly room: MakeRoomService,
    private readonly walletIndexes: WalletIndexesService,
    private readonly audit: AuditRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly metrics: JobMetrics,
    private readonly logger: Logger,
  ) {
    this.addressAt = walletAddresses(configuration.JOB_ACCOUNT_XPUB);
  }

  /** The job, or the one of a twin of this request that claimed its key first. @throws RequestFailure where it is refused */
  async begin(creation: Creation): Promise<BegunJob> {
    const begun = await this.creations.run(creation);
    if (begun.stopSecret !== undefined) {
      const { jobId, walletIndex } = begun.job;
      this.walletIndexes.given(walletIndex);
      this.metrics.jobCreated();
      this.logger.info({ jobId, walletIndex }, 'job created');
    }
    return begun;
  }

  private async beginBatch(batch: readonly BatchPiece<Creation>[]): Promise<readonly PromiseSettledResult<BegunJob>[]> {
    let isWritten = false;
    try {
      return await inTransaction(this.connection, async (session) => {
        isWritten = false;
        const ends = await this.write(batch, session);
        isWritten = true;
        return ends;
      });
    } catch (reason) {
      // It may be committed all the same: whoever tries again would make a second job of one request.
      if (isWritten) return batch.map(() => ({ status: 'rejected', reason }));
      // A twin at another replica. Of several it is not known whose: each is tried by itself then.
      const [only, another] = batch;
      if (!isDuplicateKey(reason) || !only?.piece.claim || another) throw reason;
      const { claim } = only.piece;
      const twin = jobUnderClaim(claim, await this.jobs.findClaimed([claim]));
      if (!twin) throw reason;
      return [{ status: 'fulfilled', value: { job: twin } }];
    }
  }

  private async write(
    batch: readonly BatchPiece<Creation>[],
    session: ClientSession,
  ): Promise<readonly PromiseSettledResult<BegunJob>[]> {
    const known = await this.know(batch, session);
    const drafts: Draft[] = [];
    const room = this.room.open(session);
    const ends: PromiseSettledResult<BegunJob>[] = [];
    for (const one of batch) {
      try {
        const begun = await this.judge(one, known, { drafts, room }, session);
        ends.push({ status: 'fulfilled', value: begun });
      } catch (reason) {
        ends.push({ status: 'rejected', reason });
      }
    }
    if (drafts.length > 0) await this.insert(drafts, session);
    return ends;
  }

  private async know(batch: readonly BatchPiece<Creation>[], session: ClientSession): Promise<Known> {
    const claims = new Map(batch.flatMap(({ piece: { claim } }) => (claim ? [[JSON.stringify(claim), claim]] : [])));
    const returnAddresses = batch.flatMap(({ piece }) => piece.request.returnAddress ?? []);
    return {
      nextIndex: await this.jobs.nextWalletIndex(session),
      claimed: await this.jobs.findClaimed([...claims.values()], session),
      wallets: returnAddresses.length > 0 ? await this.jobs.walletsAmong(returnAddresses, session) : new Set(),
    };
  }

  /** The end of a creation; a new job joins the drafts. @throws RequestFailure where it is refused */
  private async judge(
    { piece, onBehalf }: BatchPiece<Creation>,
    { claimed, wallets, nextIndex }: Known,
    { drafts, room }: { readonly drafts: Draft[]; readonly room: Room },
    session: ClientSession,
  ): Promise<BegunJob> {
    onBehalf(assertBeforeDeadline);
    const earlier = piece.claim && jobUnderClaim(piece.claim, [...claimed, ...claimedBy(drafts)]);
    if (earlier) return { job: earlier };
    await this.assertFewUnpaid(piece.command.clientAddress, { drafts, room, nextIndex }, session);
    assertNoWallet(piece.request, wallets);
    const index = await this.walletIndexes.next(nextIndex + drafts.length);
    const nowMs = this.clock.now();
    const timeoutMs = this.configuration.JOB_PAYMENT_TIMEOUT_SECONDS * 1000;
    const deadlineMs = paymentDeadline(nowMs, piece.offer.chainTimeMs, timeoutMs);
    const wallet = { index, address: this.addressAt(index) };
    const jobId = `job_${randomBytes(16).toString('hex')}`;
    const job = newJob(piece.request, wallet, { nowMs, deadlineMs }, jobId, piece.offer.plan);
    const stopSecret = newStopSecret();
    drafts.push({ creation: piece, onBehalf, job, stopSecret });
    return { job, stopSecret };
  }

  /**
   * Of two transactions at once one is undone, since both take wallet indexes, so that neither's jobs are counted out.
   * @throws TooManyUnpaidJobs
   */
  private async assertFewUnpaid(
    clientAddress: string | undefined,
    { drafts, room, nextIndex }: { readonly drafts: readonly Draft[]; readonly room: Room; readonly nextIndex: number },
    session: ClientSession,
  ): Promise<void> {
    const { JOB_MOST_UNPAID_JOBS_PER_CLIENT: ofClient } = this.configuration;
    const inAll = ofClient * MOST_CLIENTS_AT_LIMIT;
    const sameClient = drafts.filter(({ creation }) => creation.command.clientAddress === clientAddress).length;
    const count = (most: number, drafted: number, address?: string) =>
      this.countUnpaid({ most, drafted, nextIndex }, session, address);
    const now = {
      ofClient: clientAddress === undefined ? 0 : await count(ofClient, sameClient, clientAddress),
      inAll: await count(inAll, drafts.length),
    };
    const isRoomMade = now.ofClient < ofClient && now.inAll >= inAll && (await room.makeFor(clientAddress));
    assertFewUnpaid(isRoomMade ? { ...now, inAll: inAll - 1 } : now, { ofClient, inAll });
  }

  /** Exact where it matters: jobs are counted only where there could be as many as are let in. */
  private async countUnpaid(
    { most, drafted, nextIndex }: { readonly most: number; readonly drafted: number; readonly nextIndex: number },
    session: ClientSession,
    clientAddress?: string,
  ): Promise<number> {
    const who = clientAddress ?? ALL;
    const bound = this.unpaid.atMost(who, nextIndex) + drafted;
    if (bound < most) return bound;
    const counted = await this.jobs.countUnpaid(most, session, clientAddress);
    this.unpaid.remember(who, counted, nextIndex);
    return counted + drafted;
  }

  private async insert(drafts: readonly Draft[], session: ClientSession): Promise<void> {
    const rows = drafts.map((draft) => draft.onBehalf(() => this.rowsOf(draft)));
    const jobs = rows.map(({ job }) => job);
    const markets = new Map(drafts.map(({ job, creation }) => [job.jobId, creation.offer.market]));
    const entries = rows.map(({ entry }) => entry);
    const events = rows.map(({ event }) => event);
    await this.jobs.takeWalletIndexes(drafts.length, session);
    await this.jobs.insert(jobs, session);
    await this.markets.insert(markets, session);
    await this.audit.insert(entries, session);
    await this.outbox.insert(events, session);
  }

  private rowsOf({ creation: { claim, command }, job, stopSecret }: Draft) {
    const { jobId, tokenAddress, metadata } = job;
    const { paymentAddress, paymentAmountWei, paymentDeadline: deadline } = createdView(job);
    const data = { tokenAddress, paymentAddress, paymentAmountWei, paymentDeadline: deadline, metadata };
    const { clientAddress } = command;
    const kept = {
      stopSecretHashes: [hashStopSecret(stopSecret)],
      clientNetworks: networksOf(clientAddress),
      ...(clientAddress !== undefined && { clientAddress }),
    };
    const cause = `api key ${command.apiKeyName}`;
    return {
      job: this.jobs.created(job, claim, kept),
      entry: this.audit.prepare({ jobId, action: 'job.created', to: job.status, cause }),
      event: this.outbox.prepare(jobCreated, { jobId, data }),
    };
  }
}

/** The later of two twins in a batch is told of the job of the earlier. */
function claimedBy(drafts: readonly Draft[]): ClaimedJob[] {
  return drafts.flatMap(({ creation: { claim }, job }) => (claim ? [{ job, claim }] : []));
}
