import { z } from 'zod';
import {
  jobFilterSchema,
  ledgerLineSchema,
  operatorActionEntrySchema,
  operatorActionsQuerySchema,
  operatorActionsResponseSchema,
  operatorJobResponseSchema,
  operatorJobsResponseSchema,
  reconciliationResponseSchema,
} from '../http/operator.ts';
import { commandLogQuerySchema, commandLogResponseSchema, signedCommandSchema } from '../http/signed-command.ts';
import {
  redeliverySchema,
  webhookDeliveriesResponseSchema,
  webhookDeliveryFilterSchema,
  webhookEndpointsResponseSchema,
} from '../http/webhooks.ts';
import { addressSchema, foundTokenSchema, jobIdSchema, timeSchema, weiSchema } from '../primitives.ts';
import { contract } from './request-contract.ts';

const byJob = z.object({ jobId: jobIdSchema });
const outcome = z.object({ outcome: z.string() });

/** Answered by job. Newest first. */
export const listJobs = contract('job.list', jobFilterSchema, operatorJobsResponseSchema);

/** Answered by job: a job with its timeline. */
export const getJobTimeline = contract('job.timeline.get', byJob, operatorJobResponseSchema);

/**
 * Answered by job: adds a line to the audit log and to the job's timeline. The gateway records a command before it carries it
 * out, and its end afterwards, so that the log has every command even if a process crashes in between.
 */
export const recordOperatorAction = contract(
  'job.operator_action.record',
  operatorActionEntrySchema.omit({ at: true }),
  z.object({}),
);

/** Answered by job. */
export const listOperatorActions = contract(
  'job.operator_action.list',
  operatorActionsQuerySchema,
  operatorActionsResponseSchema,
);

/**
 * Answered by maker-executor, which checks the signatures: the services in between can neither make nor change a command.
 * All commands that release or redirect money, end a job or let money move again use this request.
 */
export const carryOutCommand = contract('maker-executor.command.carry_out', signedCommandSchema, outcome);

/** Answered by receipts: maker-executor's log of signed commands, oldest first. */
export const listCommands = contract('receipts.command.list', commandLogQuerySchema, commandLogResponseSchema);

/**
 * Answered by maker-executor: pauses one job or, without `jobId`, all jobs. Not signed: it stops money in an
 * emergency, and only a signed command lets it move again.
 */
export const setPause = contract(
  'maker-executor.pause.set',
  z.object({ jobId: jobIdSchema.optional(), operator: z.string() }),
  outcome,
);

/** Answered by maker-executor: broadcasts again the saved bytes of every transaction that is in no block. */
export const rebroadcast = contract('maker-executor.rebroadcast', byJob, outcome);

/** Answered by maker-executor. The request names the wallet, because an unpaid job has no ledger. */
export const reconcileJob = contract(
  'maker-executor.reconcile',
  byJob.extend({ walletAddress: addressSchema }),
  reconciliationResponseSchema,
);

/** Answered by receipts: lines of a job's ledger after an id, in ascending order of ids. */
export const listLedger = contract(
  'receipts.ledger.list',
  byJob.extend({ afterId: z.string().optional(), limit: z.number().int().min(1).max(500) }),
  z.object({ lines: z.array(ledgerLineSchema) }),
);

/** Answered by payment-watcher: searches HyperCore and the address for tokens now, and reports the result to job. */
export const findOnHyperCore = contract(
  'payment-watcher.hypercore.check',
  byJob.extend({ walletAddress: addressSchema }),
  z.object({ amountWei: weiSchema, checkedAt: timeSchema, tokens: z.array(foundTokenSchema) }),
);

/** Answered by webhook-sender. */
export const listWebhookEndpoints = contract('webhook.endpoints.list', z.object({}), webhookEndpointsResponseSchema);

/** Answered by webhook-sender: messages with their attempts, newest event first. */
export const listWebhookDeliveries = contract(
  'webhook.deliveries.list',
  webhookDeliveryFilterSchema,
  webhookDeliveriesResponseSchema,
);

/** Answered by webhook-sender: delivers again with the same id and content, even if the endpoint accepted the message before. */
export const redeliverWebhooks = contract('webhook.redeliver', redeliverySchema, outcome);
