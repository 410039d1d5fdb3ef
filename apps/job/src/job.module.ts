import { serviceModule } from '@maker/messaging';
import { ConfigurationError } from '@maker/service-kit';
import { AgreementKey } from '@maker/signing/agreement-key';
import type { DynamicModule } from '@nestjs/common';
import type { Logger } from 'pino';
import { isAddressEqual } from 'viem';
import { ApplyChangeService } from './apply-change/apply-change.service.ts';
import { AuditRepository } from './audit/audit.repository.ts';
import { BookCapacityHandler } from './book-capacity/book-capacity.handler.ts';
import { CancelJobHandler } from './cancel-job/cancel-job.handler.ts';
import { ChangeReturnAddressHandler } from './change-return-address/change-return-address.handler.ts';
import { JOB_CONFIGURATION, type JobConfiguration } from './configuration.ts';
import { AddressReuseCheckService } from './create-job/address-reuse-check.service.ts';
import { BeginJobsService } from './create-job/begin-jobs.service.ts';
import { CreateJobHandler } from './create-job/create-job.handler.ts';
import { MakeRoomService } from './create-job/make-room.service.ts';
import { SeedProofService } from './create-job/seed-proof.service.ts';
import { WalletIndexesService } from './create-job/wallet-indexes.service.ts';
import { DepositsRepository } from './deposit/deposits.repository.ts';
import { EndJobHandler } from './end-job/end-job.handler.ts';
import { StartablePaymentsService } from './evaluate-payment/startable-payments.service.ts';
import { ExpireJobHandler } from './expire-job/expire-job.handler.ts';
import { CapacityRepository } from './job/capacity.repository.ts';
import { JobStatisticsRepository } from './job/job-statistics.repository.ts';
import { JobsRepository } from './job/jobs.repository.ts';
import { Payers } from './job/payers.ts';
import { JobMetrics } from './job.metrics.ts';
import { JobQueriesHandler } from './job-queries/job-queries.handler.ts';
import { OperatorQueriesHandler } from './job-queries/operator-queries.handler.ts';
import { SearchJobsHandler } from './job-queries/search-jobs.handler.ts';
import { OperatorActionsHandler } from './operator-actions/operator-actions.handler.ts';
import { MarketsRepository } from './plan/markets.repository.ts';
import { PlansService } from './plan/plans.service.ts';
import { PlanJobHandler } from './plan-job/plan-job.handler.ts';
import { ExecutorProofsService } from './proof/executor-proofs.service.ts';
import { PublishInvalidationsService } from './publish-invalidations/publish-invalidations.service.ts';
import { RecipientsService } from './recipient/recipients.service.ts';
import { KnownDepositsHandler } from './record-deposit/known-deposits.handler.ts';
import { ProveDepositService } from './record-deposit/prove-deposit.service.ts';
import { RecordDepositHandler } from './record-deposit/record-deposit.handler.ts';
import { RecordSeenHandler } from './record-seen/record-seen.handler.ts';
import { RecordTimelineHandler } from './record-timeline/record-timeline.handler.ts';
import { RecordWrongAssetsHandler } from './record-wrong-assets/record-wrong-assets.handler.ts';
import { RefundsRepository } from './refund/refunds.repository.ts';
import { RefundBacklogRepository } from './refund-deposits/refund-backlog.repository.ts';
import { RefundBacklogService } from './refund-deposits/refund-backlog.service.ts';
import { RefundDepositsService } from './refund-deposits/refund-deposits.service.ts';
import { RefundOutcomesHandler } from './refund-deposits/refund-outcomes.handler.ts';
import { StartJobHandler } from './start-job/start-job.handler.ts';
import { StopJobHandler } from './stop-job/stop-job.handler.ts';

/** Name of this service: its queue group, durable consumer, and label in logs and metrics. */
export const SERVICE = 'job';

export function jobModule(configuration: JobConfiguration, logger: Logger): DynamicModule {
  return serviceModule(SERVICE, configuration, logger, {
    mongoUrl: configuration.MONGO_URL,
    events: SERVICE,
    controllers: [
      CreateJobHandler,
      PlanJobHandler,
      JobQueriesHandler,
      SearchJobsHandler,
      StopJobHandler,
      StartJobHandler,
      ChangeReturnAddressHandler,
      OperatorQueriesHandler,
      OperatorActionsHandler,
      KnownDepositsHandler,
      BookCapacityHandler,
    ],
    providers: [
      { provide: JOB_CONFIGURATION, useValue: configuration },
      { provide: AgreementKey, useFactory: () => agreementKey(configuration) },
      JobsRepository,
      Payers,
      DepositsRepository,
      AuditRepository,
      RefundsRepository,
      CapacityRepository,
      MarketsRepository,
      PlansService,
      RecipientsService,
      RefundDepositsService,
      RefundBacklogRepository,
      RefundBacklogService,
      JobStatisticsRepository,
      AddressReuseCheckService,
      SeedProofService,
      BeginJobsService,
      MakeRoomService,
      WalletIndexesService,
      JobMetrics,
      ApplyChangeService,
      ExecutorProofsService,
      ProveDepositService,
      StartablePaymentsService,
      RecordDepositHandler,
      ExpireJobHandler,
      EndJobHandler,
      CancelJobHandler,
      RefundOutcomesHandler,
      RecordWrongAssetsHandler,
      RecordSeenHandler,
      RecordTimelineHandler,
      PublishInvalidationsService,
    ],
  });
}

/** @throws AgreementKeyError, ConfigurationError if the other services would refuse what this key signs */
async function agreementKey(configuration: JobConfiguration): Promise<AgreementKey> {
  const key = await AgreementKey.read(configuration.JOB_AGREEMENT_KEY_FILE);
  const isListed = configuration.JOB_AGREEMENT_SIGNERS.some((signer) => isAddressEqual(signer, key.address));
  if (!isListed)
    throw new ConfigurationError([`JOB_AGREEMENT_SIGNERS lacks ${key.address}, the address of JOB_AGREEMENT_KEY_FILE`]);
  return key;
}
