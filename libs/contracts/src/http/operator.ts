import { z } from 'zod';
import { hashSchema, jobIdSchema, jobStatusSchema, timeSchema, weiSchema } from '../primitives.ts';
import { jobStatusResponseSchema } from './job-status.ts';
import { operatorReasonSchema } from './signed-command.ts';

/** Body of the operator's commands that move no money; of the others it is a `SignedCommand`. */
export const operatorCommandRequestSchema = z.object({ reason: operatorReasonSchema });
export type OperatorCommandRequest = z.infer<typeof operatorCommandRequestSchema>;

/** Answer of an operator's command. */
export const operatorCommandResponseSchema = z.object({
  actionId: z.string().describe('Id of the command in the audit log.'),
  outcome: z.string().describe('What it did, in a sentence.'),
});
export type OperatorCommandResponse = z.infer<typeof operatorCommandResponseSchema>;

/** What an operator can command, by its name in the audit log. */
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

/** What an operator can ask for and take out of the system, by its name in the audit log. */
export const OPERATOR_QUERIES = ['list', 'show', 'reconcile', 'export', 'webhooks'] as const;
export type OperatorQueryName = (typeof OPERATOR_QUERIES)[number];

/** One line of the audit log: a command was given, how it ended, or a query was asked. Lines are added and never changed. */
export const operatorActionEntrySchema = z.object({
  actionId: z.string().describe('Id of the line in the audit log.'),
  kind: z.enum(['ordered', 'done', 'refused', 'looked_up']).describe('What became of the action.'),
  action: z.enum([...OPERATOR_COMMANDS, ...OPERATOR_QUERIES]).describe('What was done.'),
  jobId: jobIdSchema.optional().describe('Absent where it concerns all jobs.'),
  operator: z.string().describe('Name of the API key.'),
  reason: z.string().optional().describe('Only a query may be without one.'),
  at: timeSchema,
  to: z.string().optional().describe('Where money was released to.'),
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

/** Which jobs an operator asks for: newest first, the page before a time. */
export const jobFilterSchema = z.object({
  status: jobStatusSchema.optional(),
  before: timeSchema.optional(),
  limit: z.coerce.number().int().min(1).max(500).default(50).describe('Most entries of the page.'),
});

/** Query of what operators ask about jobs: why, if they want it to be in the audit log. */
export const operatorQuerySchema = z.object({ reason: operatorReasonSchema.optional() });
export type OperatorQuery = z.infer<typeof operatorQuerySchema>;

/** Query of `GET /operator/jobs`. */
export const operatorJobsQuerySchema = jobFilterSchema.extend(operatorQuerySchema.shape);
export type OperatorJobsQuery = z.infer<typeof operatorJobsQuerySchema>;

/** Query of the exports: what leaves the system does not leave without a reason. */
export const operatorExportQuerySchema = z.object({ reason: operatorReasonSchema });
export type OperatorExportQuery = z.infer<typeof operatorExportQuerySchema>;

/** A job in the operator's list, whose page must fit into one message: strangers write the metadata. */
const listedJobSchema = jobStatusResponseSchema.omit({ receipt: true, receiptUnavailable: true, metadata: true });

/** A job as operators see it. */
export const operatorJobSchema = listedJobSchema.extend({
  walletIndex: z.number().int().describe('Index of the wallet below the account key.'),
  returnAddress: z.string().nullable().describe('Address for tokens and change; null while none is known.'),
});
export type OperatorJob = z.infer<typeof operatorJobSchema>;

/** Answer of `GET /operator/jobs`. */
export const operatorJobsResponseSchema = z.object({ jobs: z.array(operatorJobSchema).describe('The jobs.') });

/** One entry of a job's timeline: what happened, with its facts as plain values. Entries are added and never changed. */
export const timelineEntrySchema = z.object({
  at: timeSchema,
  action: z
    .string()
    .describe('Such as `deposit.credited`, `job.status_changed`, `transfer.settled` or `operator.pause`.'),
  cause: z.string().describe("What led to it, such as an event's id or the name of an API key."),
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
  kind: z.string().describe('What the entry stands for, such as an order or its gas.'),
  asset: z.enum(['hype', 'token']),
  from: z.string().describe('Account that the amount leaves, such as payer, wallet or pool.'),
  to: z.string().describe('Account that the amount reaches.'),
  amount: weiSchema.describe("Wei, or the token's smallest unit."),
  transactionHash: hashSchema.nullable(),
  blockNumber: z.number().int().nullable().describe('Number of the block.'),
  recordedAt: timeSchema,
});
export type LedgerLine = z.infer<typeof ledgerLineSchema>;

/** A sum with its sign, in wei. */
const signedWeiSchema = z.string().regex(/^-?\d+$/);

/** Answer of `GET /operator/jobs/{jobId}/reconciliation`: the ledger beside the chain, and what differs. */
export const reconciliationResponseSchema = z.object({
  jobId: jobIdSchema,
  walletAddress: z.string().describe('Wallet of the job.'),
  verdict: z
    .enum(['equal', 'surplus', 'missing', 'foreign_nonces', 'open_transactions', 'no_ledger'])
    .describe('Result of the comparison.'),
  blockNumber: z.number().int().describe('Block whose state was read.'),
  chainWei: weiSchema,
  expectedWei: signedWeiSchema.describe('What the ledger says the wallet must hold: free and held.'),
  differenceWei: signedWeiSchema.describe('Balance less the expected one, in wei.'),
  heldWei: signedWeiSchema.describe('Set apart for an operator: what a release is about.'),
  totals: z.record(z.string(), weiSchema).describe("Sums of the ledger's entries by kind."),
  usedNonces: z.number().int().describe('Nonces that the chain has used up, and those that this service signed.'),
  signedNonces: z.number().int().describe('Nonces that were signed.'),
  openTransactions: z.number().int().describe('Transactions that are not final.'),
  explanation: z.array(z.string()).describe('In sentences, for the operator.'),
});
export type ReconciliationResponse = z.infer<typeof reconciliationResponseSchema>;
