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
 * Answered by job: adds a line to the audit log, and to the job's timeline. A command is written before it is carried
 * out, and how it ended after that, so that no command is unknown whatever dies in between.
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
 * Answered by maker-executor, which checks the signatures: whoever carries the command can neither make one nor change
 * one. Everything that releases or redirects money, ends a job or lets money move again comes this way.
 */
export const carryOutCommand = contract('execution.command.carry_out', signedCommandSchema, outcome);

/** Answered by receipts: maker-executor's log of signed commands, oldest first. */
export const listCommands = contract('execution.command.list', commandLogQuerySchema, commandLogResponseSchema);

/**
 * Answered by maker-executor: an operator's pause of one job or, without `jobId`, of all. Not signed: it stops money in an
 * emergency, and only a signed command lets it move again.
 */
export const setPause = contract(
  'execution.pause.set',
  z.object({ jobId: jobIdSchema.optional(), operator: z.string() }),
  outcome,
);

/** Answered by maker-executor: sends the saved bytes of every transaction that is in no block again. */
export const rebroadcast = contract('execution.rebroadcast', byJob, outcome);

/** Answered by maker-executor. The wallet is named by the one who asks, since an unpaid job has no ledger. */
export const reconcileJob = contract(
  'execution.reconcile',
  byJob.extend({ walletAddress: addressSchema }),
  reconciliationResponseSchema,
);

/** Answered by receipts: lines of a job's ledger after an id, in the order of their ids. */
export const listLedger = contract(
  'execution.ledger.list',
  byJob.extend({ afterId: z.string().optional(), limit: z.number().int().min(1).max(500) }),
  z.object({ lines: z.array(ledgerLineSchema) }),
);

/** Answered by payment-watcher: searches HyperCore, and the address for tokens, now; and tells the job what it found. */
export const findOnHyperCore = contract(
  'payment-watcher.hypercore.look',
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

/** Answered by webhook-sender: delivers again, under the same id and with the same content, whether it was taken before or not. */
export const redeliverWebhooks = contract('webhook.redeliver', redeliverySchema, outcome);
