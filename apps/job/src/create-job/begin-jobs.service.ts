import { randomBytes } from 'node:crypto';
import { type createJob, jobCreated } from '@maker/contracts';
import { assertBeforeDeadline, Outbox } from '@maker/messaging';
import { Connection, inTransaction, isDuplicateKey } from '@maker/persistence';
import { type BatchPiece, BatchQueue, Clock, Logger } from '@maker/service-kit';
import { AgreementKey } from '@maker/signing/agreement-key';
import { walletAddresses } from '@maker/signing/derivation';
import { Inject, Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { z } from 'zod';
import { AuditRepository } from '../audit/audit.repository.ts';
import { JOB_CONFIGURATION, type JobConfiguration } from '../configuration.ts';
import type { Job } from '../job/job.ts';
import { type ClaimedJob, type IdempotencyClaim, JobsRepository } from '../job/jobs.repository.ts';
import { newStopSecret, repeatedStopSecret } from '../job/stop-secret.ts';
import { JobMetrics } from '../job.metrics.ts';
import { networksOf } from '../network/networks.ts';
import { MarketsRepository } from '../plan/markets.repository.ts';
import type { OfferedPlan } from '../plan/plans.service.ts';
import { createdView } from '../views/job-views.ts';
import { agreementOf } from './agreement-of.ts';
import {
  assertFewUnpaid,
  assertNoWallet,
  type JobRequest,
  jobUnderClaim,
  newJob,
  paymentDeadline,
} from './create-job.ts';
import { MakeRoomService, type Room } from './make-room.service.ts';
import { UnpaidBounds } from './unpaid-bounds.ts';
import { WalletIndexesService } from './wallet-indexes.service.ts';

/** Most unpaid jobs of one API key that only a server has: the open carts of a shop. Source: docs/adr/0173. */
export const MOST_UNPAID_OF_SERVER_KEY = 500;

/** Number of clients at their limit of unpaid jobs that reach the limit of all clients together. */
export const MOST_CLIENTS_AT_LIMIT = 250;

/** A requested job, with the answers of the other services about it. */
export interface Creation {
  readonly request: JobRequest;
  readonly claim: IdempotencyClaim | undefined;
  readonly offer: OfferedPlan;
  readonly command: Pick<
    z.output<typeof createJob.request>,
    'apiKeyName' | 'isServerKey' | 'clientAddress' | 'idempotencyKey'
  >;
}

/** A new job with its stop secret, or the job of an earlier request. */
export interface BegunJob {
  readonly job: Job;
  readonly isNew: boolean;
  /** Undefined if the client keeps its own secret, or if others can guess the key of a repeated request. */
  readonly stopSecret: string | undefined;
}

/** Data for a batch of creations, from the snapshot of its transaction. */
interface Facts {
  readonly claimed: readonly ClaimedJob[];
  /** Return addresses that are job wallets, in lower case. */
  readonly wallets: ReadonlySet<string>;
  readonly nextIndex: number;
}

/** An accepted creation with its new job. */
interface Draft {
  readonly creation: Creation;
  readonly onBehalf: BatchPiece<Creation>['onBehalf'];
  readonly job: Job;
}

/** Key of the count of all clients together. */
const ALL = '';

/**
 * Creates jobs. Every creation writes the address counter, so concurrent transactions would abort each other. Concurrent
 * creations share one transaction, which costs little more than that of one creation.
 */
@Injectable()
export class BeginJobsService {
  private readonly creations = new BatchQueue<Creation, BegunJob>((batch) => this.beginBatch(batch));
  private readonly unpaid = new UnpaidBounds();
  private readonly addressAt: ReturnType<typeof walletAddresses>;

  constructor(
    @Inject(JOB_CONFIGURATION) private readonly configuration: JobConfiguration,
    private readonly agreementKey: AgreementKey,
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

  /** Creates a job, or returns the job of an earlier request with the same key. @throws RequestFailure if it is refused */
  async begin(creation: Creation): Promise<BegunJob> {
    const begun = await this.creations.run(creation);
    if (begun.isNew) {
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
        const results = await this.write(batch, session);
        isWritten = true;
        return results;
      });
    } catch (reason) {
      // The commit may have succeeded: a retry would create a second job for one request.
      if (isWritten) return batch.map(() => ({ status: 'rejected', reason }));
      // Another replica used the key. In a batch of several the key is unknown, so each creation is retried alone.
      const [only, another] = batch;
      if (!isDuplicateKey(reason) || !only?.piece.claim || another) throw reason;
      const { claim } = only.piece;
      const twin = jobUnderClaim(claim, await this.jobs.findClaimed([claim]));
      if (!twin) throw reason;
      return [{ status: 'fulfilled', value: earlierJob(twin, only.piece) }];
    }
  }

  private async write(
    batch: readonly BatchPiece<Creation>[],
    session: ClientSession,
  ): Promise<readonly PromiseSettledResult<BegunJob>[]> {
    const facts = await this.loadFacts(batch, session);
    const drafts: Draft[] = [];
    const room = this.room.open(session);
    const results: PromiseSettledResult<BegunJob>[] = [];
    for (const one of batch) {
      try {
        const begun = await this.decide(one, facts, { drafts, room }, session);
        results.push({ status: 'fulfilled', value: begun });
      } catch (reason) {
        results.push({ status: 'rejected', reason });
      }
    }
    if (drafts.length > 0) await this.insert(drafts, session);
    return results;
  }

  private async loadFacts(batch: readonly BatchPiece<Creation>[], session: ClientSession): Promise<Facts> {
    const claims = new Map(batch.flatMap(({ piece: { claim } }) => (claim ? [[JSON.stringify(claim), claim]] : [])));
    const returnAddresses = batch.flatMap(({ piece }) => piece.request.returnAddress ?? []);
    return {
      nextIndex: await this.jobs.nextWalletIndex(session),
      claimed: await this.jobs.findClaimed([...claims.values()], session),
      wallets: returnAddresses.length > 0 ? await this.jobs.walletsAmong(returnAddresses, session) : new Set(),
    };
  }

  /** Decides on one creation, and adds a new job to the drafts. @throws RequestFailure if it is refused */
  private async decide(
    { piece, onBehalf }: BatchPiece<Creation>,
    { claimed, wallets, nextIndex }: Facts,
    { drafts, room }: { readonly drafts: Draft[]; readonly room: Room },
    session: ClientSession,
  ): Promise<BegunJob> {
    onBehalf(assertBeforeDeadline);
    const earlier = piece.claim && jobUnderClaim(piece.claim, [...claimed, ...claimedBy(drafts)]);
    if (earlier) return earlierJob(earlier, piece);
    await this.assertFewUnpaid(piece.command, { drafts, room, nextIndex }, session);
    assertNoWallet(piece.request, wallets);
    const index = await this.walletIndexes.next(nextIndex + drafts.length);
    const nowMs = this.clock.now();
    const timeoutMs = this.configuration.JOB_PAYMENT_TIMEOUT_SECONDS * 1000;
    const deadlineMs = paymentDeadline(nowMs, piece.offer.chainTimeMs, timeoutMs);
    const wallet = { index, address: this.addressAt(index) };
    const jobId = `job_${randomBytes(16).toString('hex')}`;
    const created = newJob(piece.request, wallet, { nowMs, deadlineMs }, jobId, piece.offer.plan);
    const { stopSecret, stopSecretHash } = newStopSecret(jobId, { ...piece.request, ...piece.command });
    const agreement = agreementOf(created, stopSecretHash, piece.claim, this.configuration.CHAIN_ID);
    const job = { ...created, terms: { ...(await this.agreementKey.sign(agreement)), amendments: [] } };
    drafts.push({ creation: piece, onBehalf, job });
    return { job, isNew: true, stopSecret };
  }

  /**
   * Limits the unpaid jobs. The count is exact: of two concurrent transactions one aborts, because both take wallet indexes.
   * @throws TooManyUnpaidJobs
   */
  private async assertFewUnpaid(
    command: Creation['command'],
    { drafts, room, nextIndex }: { readonly drafts: readonly Draft[]; readonly room: Room; readonly nextIndex: number },
    session: ClientSession,
  ): Promise<void> {
    const { JOB_MOST_UNPAID_JOBS_PER_CLIENT: ofAddress } = this.configuration;
    const inAll = ofAddress * MOST_CLIENTS_AT_LIMIT;
    const client = clientOf(command);
    const ofClient = command.isServerKey ? MOST_UNPAID_OF_SERVER_KEY : ofAddress;
    const sameClient = drafts.filter(({ creation }) => clientOf(creation.command) === client).length;
    const count = (most: number, drafted: number, of?: Creation['command']) =>
      this.countUnpaid({ most, drafted, nextIndex }, session, of);
    const now = {
      ofClient: client === undefined ? 0 : await count(ofClient, sameClient, command),
      inAll: await count(inAll, drafts.length),
    };
    const isRoomMade = now.ofClient < ofClient && now.inAll >= inAll && (await room.makeFor(command.clientAddress));
    assertFewUnpaid(isRoomMade ? { ...now, inAll: inAll - 1 } : now, { ofClient, inAll }, command.isServerKey);
  }

  /** Counts unpaid jobs. The database is read only if a known upper bound reaches the limit. */
  private async countUnpaid(
    { most, drafted, nextIndex }: { readonly most: number; readonly drafted: number; readonly nextIndex: number },
    session: ClientSession,
    command?: Creation['command'],
  ): Promise<number> {
    const client = (command && clientOf(command)) ?? ALL;
    const bound = this.unpaid.atMost(client, nextIndex) + drafted;
    if (bound < most) return bound;
    const counted = await this.jobs.countUnpaid(most, session, command && ownerOf(command));
    this.unpaid.remember(client, counted, nextIndex);
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

  private rowsOf({ creation: { claim, command }, job }: Draft) {
    const { jobId, tokenAddress } = job;
    const { paymentAddress, paymentAmountWei, paymentDeadline: deadline } = createdView(job);
    const data = { tokenAddress, paymentAddress, paymentAmountWei, paymentDeadline: deadline };
    const { apiKeyName, clientAddress, isServerKey } = command;
    const kept = {
      clientNetworks: networksOf(clientAddress),
      // Places are shared by the networks of addresses: the job of a server's key never gives way.
      ...(clientAddress !== undefined && !isServerKey && { clientAddress }),
    };
    const cause = `api key ${apiKeyName}`;
    return {
      job: this.jobs.created(job, claim, apiKeyName, kept),
      entry: this.audit.prepare({ jobId, action: 'job.created', to: job.status, cause }),
      event: this.outbox.prepare(jobCreated, { jobId, data }),
    };
  }
}

/** Name of the client whose unpaid jobs count together: a server's key, or else an address. */
function clientOf(command: Creation['command']): string | undefined {
  return command.isServerKey ? `key ${command.apiKeyName}` : command.clientAddress;
}

/** The same client as a filter of jobs. */
function ownerOf({ isServerKey, apiKeyName, clientAddress }: Creation['command']) {
  return isServerKey ? { apiKeyName } : { clientAddress };
}

/** The answer to a repeated request. */
export function earlierJob(job: Job, { request, command }: Pick<Creation, 'request' | 'command'>): BegunJob {
  return { job, isNew: false, stopSecret: repeatedStopSecret(job.jobId, { ...request, ...command }) };
}

/** Claims of the drafts: the second of two requests with one key gets the job of the first. */
function claimedBy(drafts: readonly Draft[]): ClaimedJob[] {
  return drafts.flatMap(({ creation: { claim }, job }) => (claim ? [{ job, claim }] : []));
}
