import { z } from 'zod';
import { hashSchema, jobIdSchema, jobStatusSchema, timeSchema, weiSchema } from '../primitives.ts';
import { jobStatusResponseSchema } from './job-status.ts';
import { operatorReasonSchema } from './signed-command.ts';

/** Body of an operator's command that moves no money. Other commands have a `SignedCommand`. */
export const operatorCommandRequestSchema = z.object({ reason: operatorReasonSchema });
export type OperatorCommandRequest = z.infer<typeof operatorCommandRequestSchema>;

/** Answer of an operator's command. */
export const operatorCommandResponseSchema = z.object({
  actionId: z.string().describe('Id of the command in the audit log.'),
  outcome: z.string().describe('What the command did, in a sentence.'),
});
export type OperatorCommandResponse = z.infer<typeof operatorCommandResponseSchema>;

/** Commands of operators, by their names in the audit log. */
export const OPERATOR_COMMANDS = [
  'cancel',
  'return',
  'release',
  'pause',
  'resume',
  'rebroadcast',
  'pause_all',
  'resume_all',
  'check_hypercore',
  'return_hypercore',
  'redeliver_webhooks',
] as const;
export type OperatorCommandName = (typeof OPERATOR_COMMANDS)[number];

/** Queries and exports of operators, by their names in the audit log. */
export const OPERATOR_QUERIES = ['list', 'show', 'reconcile', 'export', 'webhooks'] as const;
export type OperatorQueryName = (typeof OPERATOR_QUERIES)[number];

/** One line of the audit log: a command, its end, or a query. Lines are added and never changed. */
export const operatorActionEntrySchema = z.object({
  actionId: z.string().describe('Id of the line in the audit log.'),
  kind: z
    .enum(['ordered', 'done', 'refused', 'looked_up'])
    .describe('`ordered`: a command begins; `done` or `refused`: its end; `looked_up`: a query.'),
  action: z.enum([...OPERATOR_COMMANDS, ...OPERATOR_QUERIES]).describe('Name of the command or query.'),
  jobId: jobIdSchema.optional().describe('Absent if the action concerns all jobs.'),
  operator: z.string().describe('Name of the API key.'),
  reason: z.string().optional().describe('Reason, in a sentence. Only a query may lack it.'),
  at: timeSchema,
  to: z.string().optional().describe('Recipient of released money.'),
  outcome: z.string().optional().describe('How it ended, in a sentence.'),
});
export type OperatorActionEntry = z.infer<typeof operatorActionEntrySchema>;

/** Answer of `GET /operator/actions`, newest first. */
export const operatorActionsResponseSchema = z.object({
  actions: z.array(operatorActionEntrySchema).describe('Lines of the audit log.'),
});

/** Query of `GET /operator/actions`. */
export const operatorActionsQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(500).default(50).describe('Most entries of the page.'),
});
export type OperatorActionsQuery = z.infer<typeof operatorActionsQuerySchema>;

/** Filter of a list of jobs: one page before a time, newest first. */
export const jobFilterSchema = z.object({
  status: jobStatusSchema.optional(),
  before: timeSchema.optional(),
  limit: z.coerce.number().int().min(1).max(500).default(50).describe('Most entries of the page.'),
});

/** Query of operators' reads of jobs: a reason for the audit log, if they want one. */
export const operatorQuerySchema = z.object({ reason: operatorReasonSchema.optional() });
export type OperatorQuery = z.infer<typeof operatorQuerySchema>;

/** Query of `GET /operator/jobs`. */
export const operatorJobsQuerySchema = jobFilterSchema.extend(operatorQuerySchema.shape);
export type OperatorJobsQuery = z.infer<typeof operatorJobsQuerySchema>;

/** Query of exports: an export needs a reason. */
export const operatorExportQuerySchema = z.object({ reason: operatorReasonSchema });
export type OperatorExportQuery = z.infer<typeof operatorExportQuerySchema>;

/** A job in the operator's list. It lacks the metadata, which strangers write, because a page must fit into one message. */
const listedJobSchema = jobStatusResponseSchema.omit({ receipt: true, receiptUnavailable: true, metadata: true });

/** A job as operators see it. */
export const operatorJobSchema = listedJobSchema.extend({
  walletIndex: z.number().int().describe('Index of the wallet below the account key.'),
  returnAddress: z.string().nullable().describe('Address for tokens and change; null if none is known.'),
});
export type OperatorJob = z.infer<typeof operatorJobSchema>;

/** Answer of `GET /operator/jobs`. */
export const operatorJobsResponseSchema = z.object({ jobs: z.array(operatorJobSchema).describe('The jobs.') });

/** One entry of a job's timeline, with details as plain values. Entries are added and never changed. */
export const timelineEntrySchema = z.object({
  at: timeSchema,
  action: z.string().describe('What happened, such as `deposit.credited`, `job.status_changed` or `operator.pause`.'),
  cause: z.string().describe('Cause of the entry, such as the id of an event or the name of an API key.'),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).describe('Details by name.'),
});
export type TimelineEntry = z.infer<typeof timelineEntrySchema>;

/** Answer of `GET /operator/jobs/{jobId}`. */
export const operatorJobResponseSchema = z.object({
  job: operatorJobSchema.describe('The job.'),
  timeline: z.array(timelineEntrySchema).describe('What happened to the job, oldest first.'),
});
export type OperatorJobResponse = z.infer<typeof operatorJobResponseSchema>;

/** One line of a job's ledger. */
export const ledgerLineSchema = z.object({
  id: z.string().describe('Id.'),
  kind: z.string().describe('Kind of the entry, such as an order or its gas.'),
  asset: z.enum(['hype', 'token']).describe('Asset of the amount.'),
  from: z.string().describe('Account that the amount leaves, such as payer, wallet or pool.'),
  to: z.string().describe('Account that the amount reaches.'),
  amount: weiSchema.describe('In wei, or in the smallest unit of the token.'),
  transactionHash: hashSchema.nullable(),
  blockNumber: z.number().int().nullable().describe('Number of the block.'),
  recordedAt: timeSchema,
});
export type LedgerLine = z.infer<typeof ledgerLineSchema>;

/** A sum with its sign, in wei. */
const signedWeiSchema = z.string().regex(/^-?\d+$/);

/** Answer of `GET /operator/jobs/{jobId}/reconciliation`: the ledger compared with the chain. */
export const reconciliationResponseSchema = z.object({
  jobId: jobIdSchema,
  walletAddress: z.string().describe('Wallet of the job.'),
  verdict: z
    .enum(['equal', 'surplus', 'missing', 'foreign_nonces', 'open_transactions', 'no_ledger'])
    .describe('Result of the comparison.'),
  blockNumber: z.number().int().describe('Block whose state was read.'),
  chainWei: weiSchema,
  expectedWei: signedWeiSchema.describe('Balance that the ledger expects: free and held money, in wei.'),
  differenceWei: signedWeiSchema.describe('Balance on the chain less the expected balance, in wei.'),
  heldWei: signedWeiSchema.describe('Money held for an operator, which a release sends, in wei.'),
  totals: z.record(z.string(), weiSchema).describe("Sums of the ledger's entries by kind."),
  usedNonces: z.number().int().describe('Nonces of the wallet that the chain has used.'),
  signedNonces: z.number().int().describe('Nonces that maker-executor signed.'),
  openTransactions: z.number().int().describe('Transactions that are not final.'),
  explanation: z.array(z.string()).describe('In sentences, for the operator.'),
});
export type ReconciliationResponse = z.infer<typeof reconciliationResponseSchema>;
