import { randomUUID } from 'node:crypto';
import {
  type CommandLogQuery,
  getJobTimeline,
  type LedgerLine,
  listCommands,
  listJobs,
  listLedger,
  listOperatorActions,
  listWebhookDeliveries,
  listWebhookEndpoints,
  type OperatorActionsQuery,
  type OperatorExportQuery,
  type OperatorJobsQuery,
  type OperatorQuery,
  type OperatorQueryName,
  reconcileJob,
  recordOperatorAction,
  type WebhookDeliveriesQuery,
} from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import { Controller, type StreamableFile } from '@nestjs/common';
import { RequireScope } from '../access/access.decorators.ts';
import { type Caller, CallerParam } from '../access/caller.decorator.ts';
import { download } from '../requests/download.ts';
import { QueryOf, Serves } from '../requests/serves.ts';
import { JobIdParam } from '../requests/validation.ts';
import { JOBS_CSV_HEADER, jobLine, LEDGER_CSV_HEADER, ledgerLine } from './operator-csv.ts';

const PAGE = 500;

/** A query of an operator, with its job and reason. */
interface LoggedQuery {
  readonly action: OperatorQueryName;
  /** Absent if the query concerns all jobs. */
  readonly jobId?: string | undefined;
  /** Name of the API key. */
  readonly operator: string;
  readonly reason: string | undefined;
}

/** Operators' queries, which the audit log records. Each needs a key with the scope `operator`. */
@RequireScope('operator')
@Controller()
export class OperatorQueriesController {
  constructor(private readonly requests: RequestClient) {}

  @Serves('listOperatorJobs')
  async jobs(
    @QueryOf('listOperatorJobs') { reason, ...query }: OperatorJobsQuery,
    @CallerParam() { apiKeyName: operator }: Caller,
  ) {
    await this.record({ action: 'list', operator, reason });
    return this.requests.request(listJobs, query);
  }

  @Serves('exportJobs')
  async jobsCsv(
    @QueryOf('exportJobs') { reason }: OperatorExportQuery,
    @CallerParam() { apiKeyName: operator }: Caller,
  ): Promise<StreamableFile> {
    await this.record({ action: 'export', operator, reason });
    return download('jobs.csv', this.jobLines());
  }

  @Serves('getOperatorJob')
  async job(
    @JobIdParam() jobId: string,
    @QueryOf('getOperatorJob') { reason }: OperatorQuery,
    @CallerParam() { apiKeyName: operator }: Caller,
  ) {
    await this.record({ action: 'show', jobId, operator, reason });
    return this.requests.request(getJobTimeline, { jobId });
  }

  @Serves('reconcileJob')
  async reconciliation(
    @JobIdParam() jobId: string,
    @QueryOf('reconcileJob') { reason }: OperatorQuery,
    @CallerParam() { apiKeyName: operator }: Caller,
  ) {
    await this.record({ action: 'reconcile', jobId, operator, reason });
    const { job } = await this.requests.request(getJobTimeline, { jobId });
    return this.requests.request(reconcileJob, { jobId, walletAddress: job.paymentAddress });
  }

  @Serves('exportLedger')
  async ledgerCsv(
    @JobIdParam() jobId: string,
    @QueryOf('exportLedger') { reason }: OperatorExportQuery,
    @CallerParam() { apiKeyName: operator }: Caller,
  ): Promise<StreamableFile> {
    // Before the stream begins, because an unknown job can still get 404 then.
    await this.record({ action: 'export', jobId, operator, reason });
    return download(`${jobId}-ledger.csv`, this.ledgerLines(jobId));
  }

  @Serves('listOperatorActions')
  actions(@QueryOf('listOperatorActions') query: OperatorActionsQuery) {
    return this.requests.request(listOperatorActions, query);
  }

  /** Each operator may read and check this log, so it needs no reason, like the log of actions. */
  @Serves('listSignedCommands')
  commands(@QueryOf('listSignedCommands') query: CommandLogQuery) {
    return this.requests.request(listCommands, query);
  }

  /** The answer names no job, so the audit log does not record the query. */
  @Serves('listWebhookEndpoints')
  webhookEndpoints() {
    return this.requests.request(listWebhookEndpoints, {});
  }

  @Serves('listWebhookDeliveries')
  async webhookDeliveries(
    @QueryOf('listWebhookDeliveries') { reason, ...query }: WebhookDeliveriesQuery,
    @CallerParam() { apiKeyName: operator }: Caller,
  ) {
    await this.record({ action: 'webhooks', jobId: query.jobId, operator, reason });
    return this.requests.request(listWebhookDeliveries, query);
  }

  /** Logs a query before its answer, so that no answer is unlogged. @throws RequestFailedError such as `JOB_NOT_FOUND` */
  private async record({ reason, jobId, ...query }: LoggedQuery): Promise<void> {
    const entry = { ...query, ...(jobId !== undefined && { jobId }), ...(reason && { reason }) };
    await this.requests.request(recordOperatorAction, { ...entry, actionId: randomUUID(), kind: 'looked_up' });
  }

  private async *jobLines(): AsyncGenerator<string> {
    yield JOBS_CSV_HEADER;
    for (let before: string | undefined; ; ) {
      const { jobs } = await this.requests.request(listJobs, { limit: PAGE, before });
      yield jobs.map(jobLine).join('');
      before = jobs.at(-1)?.createdAt;
      if (jobs.length < PAGE) return;
    }
  }

  private async *ledgerLines(jobId: string): AsyncGenerator<string> {
    yield LEDGER_CSV_HEADER;
    for (let afterId: string | undefined; ; ) {
      const query = { jobId, limit: PAGE, afterId };
      const { lines }: { lines: LedgerLine[] } = await this.requests.request(listLedger, query);
      yield lines.map(ledgerLine).join('');
      afterId = lines.at(-1)?.id;
      if (lines.length < PAGE) return;
    }
  }
}
