import { z } from 'zod';
import {
  operatorActionsQuerySchema,
  operatorActionsResponseSchema,
  operatorCommandRequestSchema,
  operatorCommandResponseSchema,
  operatorExportQuerySchema,
  operatorJobResponseSchema,
  operatorJobsQuerySchema,
  operatorJobsResponseSchema,
  operatorQuerySchema,
  reconciliationResponseSchema,
} from '../http/operator.ts';
import { commandLogQuerySchema, commandLogResponseSchema, signedCommandSchema } from '../http/signed-command.ts';
import {
  redeliverRequestSchema,
  webhookDeliveriesQuerySchema,
  webhookDeliveriesResponseSchema,
  webhookEndpointsResponseSchema,
} from '../http/webhooks.ts';
import { BODY, DOWN, type Endpoint, ok } from './endpoint.ts';

/** An operator's command. All commands have the same answer. */
const command = <Path extends string>(path: Path, summary: string) =>
  ({
    method: 'POST',
    path,
    summary: `${summary}`,
    body: operatorCommandRequestSchema,
    success: ok('What the command did', operatorCommandResponseSchema),
    failures: [...BODY, ...(path.includes('{jobId}') ? (['JOB_NOT_FOUND', 'NOT_POSSIBLE_NOW'] as const) : []), ...DOWN],
  }) as const;

/** Operators' queries and commands; each needs a key with the scope `operator`. */
export const OPERATOR_ENDPOINTS = {
  getOperatorOpenApi: {
    method: 'GET',
    path: '/operator/openapi.json',
    summary: 'This document',
    success: ok('The document', z.record(z.string(), z.unknown())),
    failures: [],
  },
  listOperatorJobs: {
    method: 'GET',
    path: '/operator/jobs',
    summary: 'One page of jobs, newest first, before a time',
    query: operatorJobsQuerySchema,
    success: ok('One page', operatorJobsResponseSchema),
    failures: ['INVALID_REQUEST', ...DOWN],
  },
  exportJobs: {
    method: 'GET',
    path: '/operator/jobs.csv',
    summary: 'Every job as CSV',
    query: operatorExportQuerySchema,
    success: ok('The jobs', z.string(), 'text/csv'),
    failures: ['INVALID_REQUEST', ...DOWN],
  },
  getOperatorJob: {
    method: 'GET',
    path: '/operator/jobs/{jobId}',
    summary: 'A job with its timeline',
    query: operatorQuerySchema,
    success: ok('The job', operatorJobResponseSchema),
    failures: ['INVALID_REQUEST', 'JOB_NOT_FOUND', ...DOWN],
  },
  reconcileJob: {
    method: 'GET',
    path: '/operator/jobs/{jobId}/reconciliation',
    summary: "Compares a job's ledger with the chain and explains differences",
    query: operatorQuerySchema,
    success: ok('The comparison', reconciliationResponseSchema),
    failures: ['INVALID_REQUEST', 'JOB_NOT_FOUND', ...DOWN],
  },
  exportLedger: {
    method: 'GET',
    path: '/operator/jobs/{jobId}/ledger.csv',
    summary: "A job's ledger as CSV",
    query: operatorExportQuerySchema,
    success: ok('The ledger', z.string(), 'text/csv'),
    failures: ['INVALID_REQUEST', 'JOB_NOT_FOUND', ...DOWN],
  },
  listOperatorActions: {
    method: 'GET',
    path: '/operator/actions',
    summary: "The operators' audit log, newest first",
    query: operatorActionsQuerySchema,
    success: ok('The newest lines', operatorActionsResponseSchema),
    failures: ['INVALID_REQUEST', ...DOWN],
  },
  listSignedCommands: {
    method: 'GET',
    path: '/operator/commands',
    summary: 'The log of signed commands, oldest first; each row holds the hash of the row before',
    query: commandLogQuerySchema,
    success: ok('Rows after a number', commandLogResponseSchema),
    failures: ['INVALID_REQUEST', ...DOWN],
  },
  carryOutCommand: {
    method: 'POST',
    path: '/operator/commands',
    summary: 'Carries out a command that operators have signed: cancel, return, release, resume',
    body: signedCommandSchema,
    success: ok('What the command did', operatorCommandResponseSchema),
    failures: [...BODY, 'JOB_NOT_FOUND', 'NOT_POSSIBLE_NOW', 'COMMAND_REFUSED', ...DOWN],
  },
  pauseJob: command('/operator/jobs/{jobId}/pause', 'Pauses a job: nothing is signed for it until it is resumed'),
  rebroadcastJob: command('/operator/jobs/{jobId}/rebroadcast', 'Sends the saved bytes of waiting transactions again'),
  findOnHyperCore: command(
    '/operator/jobs/{jobId}/hypercore/check',
    "Searches HyperCore and a job's address for money and tokens again",
  ),
  pauseAll: command('/operator/pause', 'Pauses all jobs: nothing is signed until they are resumed'),
  listWebhookEndpoints: {
    method: 'GET',
    path: '/operator/webhooks',
    summary: 'Webhook endpoints, and the messages that each has not accepted',
    success: ok('The endpoints', webhookEndpointsResponseSchema),
    failures: DOWN,
  },
  listWebhookDeliveries: {
    method: 'GET',
    path: '/operator/webhooks/deliveries',
    summary: 'Messages to endpoints with their attempts and answers, newest event first',
    query: webhookDeliveriesQuerySchema,
    success: ok('The newest', webhookDeliveriesResponseSchema),
    failures: ['INVALID_REQUEST', 'JOB_NOT_FOUND', ...DOWN],
  },
  redeliverWebhooks: {
    method: 'POST',
    path: '/operator/webhooks/redeliver',
    summary: 'Delivers messages to an endpoint again, under the same ids',
    body: redeliverRequestSchema,
    success: ok('What the command did', operatorCommandResponseSchema),
    failures: [...BODY, 'NOT_FOUND', 'NOT_POSSIBLE_NOW', ...DOWN],
  },
} as const satisfies Readonly<Record<string, Endpoint>>;
