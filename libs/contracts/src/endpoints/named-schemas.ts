import type { z } from 'zod';
import { signedAgreementSchema } from '../agreement.ts';
import { createJobRequestSchema, createJobResponseSchema } from '../http/create-job.ts';
import { errorBodySchema } from '../http/error.ts';
import { jobPaymentResponseSchema } from '../http/job-payment.ts';
import {
  jobOrdersResponseSchema,
  jobRefundSchema,
  jobStatusResponseSchema,
  receiptOrderSchema,
  receiptPauseSchema,
  receiptSchema,
  receiptTransferSchema,
} from '../http/job-status.ts';
import { jobsResponseSchema, listedJobSchema } from '../http/list-jobs.ts';
import { operatorJobResponseSchema, operatorJobSchema, operatorJobsResponseSchema } from '../http/operator.ts';
import { jobPlanSchema, planRequestSchema } from '../http/plan.ts';
import { changeReturnAddressRequestSchema, changeReturnAddressResponseSchema } from '../http/return-address.ts';
import { startJobResponseSchema } from '../http/start-job.ts';
import { healthResponseSchema, statsResponseSchema } from '../http/stats.ts';
import { stopJobRequestSchema, stopJobResponseSchema } from '../http/stop-job.ts';
import { validateTokenRequestSchema, validateTokenResponseSchema } from '../http/validate-token.ts';
import { foundTokenSchema, jobStatusSchema, pauseReasonSchema } from '../primitives.ts';
import { closed } from './closed.ts';

const named = (schema: z.ZodType, description: string) => ({ schema, description });

/** Schemas that have a name in the OpenAPI documents, and so in generated clients. Two schemas of one shape share the first name. */
export const NAMED_SCHEMAS: Readonly<Record<string, { readonly schema: z.ZodType; readonly description: string }>> = {
  Error: named(errorBodySchema, 'Body of a refusal.'),
  TokenRequest: named(closed(validateTokenRequestSchema), 'Body of `POST /validate-token`.'),
  TokenValidation: named(validateTokenResponseSchema, 'Answer of `POST /validate-token`.'),
  PlanRequest: named(closed(planRequestSchema), 'Body of `POST /plan`.'),
  JobPlan: named(jobPlanSchema, 'What a job will do.'),
  CreateJobRequest: named(closed(createJobRequestSchema), 'Body of `POST /jobs/create`.'),
  CreatedJob: named(createJobResponseSchema, 'Answer of `POST /jobs/create`.'),
  SignedAgreement: named(signedAgreementSchema, 'What a job is created for, signed by the service.'),
  StopSecretRequest: named(closed(stopJobRequestSchema), 'Body of `POST /jobs/{jobId}/stop` and `/start`.'),
  StoppedJob: named(stopJobResponseSchema, 'Answer of `POST /jobs/{jobId}/stop`.'),
  StartedJob: named(startJobResponseSchema, 'Answer of `POST /jobs/{jobId}/start`.'),
  ReturnAddressRequest: named(closed(changeReturnAddressRequestSchema), 'Body of `POST /jobs/{jobId}/return-address`.'),
  ReturnAddress: named(changeReturnAddressResponseSchema, 'Answer of `POST /jobs/{jobId}/return-address`.'),
  JobStatus: named(jobStatusSchema, 'Status of a job.'),
  JobPayment: named(jobPaymentResponseSchema, 'Answer of `GET /jobs/{jobId}/payment`.'),
  FoundToken: named(foundTokenSchema, 'A token that a search found at the address of a job.'),
  Job: named(jobStatusResponseSchema, 'Answer of `GET /jobs/{jobId}/status`.'),
  Refund: named(jobRefundSchema, 'A refund of money that pays for no order.'),
  Receipt: named(receiptSchema, 'Orders and transfers of a job so far.'),
  Order: named(receiptOrderSchema, 'An order of a receipt.'),
  Transfer: named(receiptTransferSchema, 'A transaction of a receipt that is not an order.'),
  Pause: named(receiptPauseSchema, 'A period in which a job placed no order.'),
  PauseReason: named(pauseReasonSchema, 'Why an active job waits.'),
  OrderPage: named(jobOrdersResponseSchema, 'Answer of `GET /jobs/{jobId}/orders`.'),
  ListedJob: named(listedJobSchema, 'A job of the list of an API key.'),
  JobPage: named(jobsResponseSchema, 'Answer of `GET /jobs`.'),
  Stats: named(statsResponseSchema, 'Answer of `GET /stats`.'),
  Health: named(healthResponseSchema, 'Answer of `GET /healthz`.'),
  OperatorJob: named(operatorJobSchema, 'A job as operators see it.'),
  OperatorJobPage: named(operatorJobsResponseSchema, 'Answer of `GET /operator/jobs`.'),
  OperatorJobTimeline: named(operatorJobResponseSchema, 'Answer of `GET /operator/jobs/{jobId}`.'),
};
