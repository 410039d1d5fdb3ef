import { Readable } from 'node:stream';
import {
  type CommandLogQuery,
  getJobTimeline,
  type LedgerLine,
  listCommands,
  listJobs,
  listLedger,
  listOperatorActions,
  type OperatorActionsQuery,
  type OperatorExportQuery,
  type OperatorJobsQuery,
  type OperatorQuery,
  reconcileJob,
} from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import { Controller, StreamableFile } from '@nestjs/common';
import { RequireScope } from '../access/access.decorators.ts';
import { type Caller, CallerParam } from '../access/caller.decorator.ts';
import { QueryOf, Serves } from '../requests/serves.ts';
import { JobIdParam } from '../requests/validation.ts';
import { JOBS_CSV_HEADER, jobLine, LEDGER_CSV_HEADER, ledgerLine } from './operator-csv.ts';
import { OperatorQueryLog } from './operator-query-log.ts';

const PAGE = 500;

/** What operators can ask for, each written down in the audit log; needs a key with the scope `operator`. */
@RequireScope('operator')
@Controller()
export class OperatorQueriesController {
  constructor(
    private readonly requests: RequestClient,
    private readonly log: OperatorQueryLog,
  ) {}

  @Serves('listOperatorJobs')
  async jobs(
    @QueryOf('listOperatorJobs') { reason, ...query }: OperatorJobsQuery,
    @CallerParam() { apiKeyName: operator }: Caller,
  ) {
    await this.log.record({ action: 'list', operator, reason });
    return this.requests.request(listJobs, query);
  }

  @Serves('exportJobs')
  async jobsCsv(
    @QueryOf('exportJobs') { reason }: OperatorExportQuery,
    @CallerParam() { apiKeyName: operator }: Caller,
  ): Promise<StreamableFile> {
    await this.log.record({ action: 'export', operator, reason });
    return csv('jobs', this.jobLines());
  }

  @Serves('getOperatorJob')
  async job(
    @JobIdParam() jobId: string,
    @QueryOf('getOperatorJob') { reason }: OperatorQuery,
    @CallerParam() { apiKeyName: operator }: Caller,
  ) {
    await this.log.record({ action: 'show', jobId, operator, reason });
    return this.requests.request(getJobTimeline, { jobId });
  }

  @Serves('reconcileJob')
  async reconciliation(
    @JobIdParam() jobId: string,
    @QueryOf('reconcileJob') { reason }: OperatorQuery,
    @CallerParam() { apiKeyName: operator }: Caller,
  ) {
    await this.log.record({ action: 'reconcile', jobId, operator, reason });
    const { job } = await this.requests.request(getJobTimeline, { jobId });
    return this.requests.request(reconcileJob, { jobId, walletAddress: job.paymentAddress });
  }

  @Serves('exportLedger')
  async ledgerCsv(
    @JobIdParam() jobId: string,
    @QueryOf('exportLedger') { reason }: OperatorExportQuery,
    @CallerParam() { apiKeyName: operator }: Caller,
  ): Promise<StreamableFile> {
    // Before the stream begins an unknown job can still be answered with 404.
    await this.log.record({ action: 'export', jobId, operator, reason });
    return csv(`${jobId}-ledger`, this.ledgerLines(jobId));
  }

  @Serves('listOperatorActions')
  actions(@QueryOf('listOperatorActions') query: OperatorActionsQuery) {
    return this.requests.request(listOperatorActions, query);
  }

  /** Read and checked by whoever doubts it, so that it is open to each operator and needs no reason, as the log of actions. */
  @Serves('listSignedCommands')
  commands(@QueryOf('listSignedCommands') query: CommandLogQuery) {
    return this.requests.request(listCommands, query);
  }

  private async *jobLines(): AsyncGenerator<string> {
    yield JOBS_CSV_HEADER;
    for (let before: string | undefined; ; ) {
      const query = { limit: PAGE, ...(before === undefined ? {} : { before }) };
      const { jobs } = await this.requests.request(listJobs, query);
      yield jobs.map(jobLine).join('');
      before = jobs.at(-1)?.createdAt;
      if (jobs.length < PAGE) return;
    }
  }

  private async *ledgerLines(jobId: string): AsyncGenerator<string> {
    yield LEDGER_CSV_HEADER;
    for (let afterId: string | undefined; ; ) {
      const query = { jobId, limit: PAGE, ...(afterId === undefined ? {} : { afterId }) };
      const { lines }: { lines: LedgerLine[] } = await this.requests.request(listLedger, query);
      yield lines.map(ledgerLine).join('');
      afterId = lines.at(-1)?.id;
      if (lines.length < PAGE) return;
    }
  }
}

function csv(name: string, lines: AsyncGenerator<string>): StreamableFile {
  return new StreamableFile(Readable.from(lines), {
    type: 'text/csv; charset=utf-8',
    disposition: `attachment; filename="${name}.csv"`,
  });
}
