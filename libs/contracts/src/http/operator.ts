import { z } from 'zod';
import { jobIdSchema, jobStatusSchema, timeSchema, weiSchema } from '../primitives.ts';
import { jobStatusResponseSchema } from './job-status.ts';
import { operatorReasonSchema } from './signed-command.ts';

/** Body of the operator's commands that move no money; of the others it is a `SignedCommand`. */
export const operatorCommandRequestSchema = z.object({ reason: operatorReasonSchema });
export type OperatorCommandRequest = z.infer<typeof operatorCommandRequestSchema>;

/** Answer of an operator's command. */
export const operatorCommandResponseSchema = z.object({
  /** Id of the command in the audit log. */
  actionId: z.string(),
  /** What it did, in a sentence. */
  outcome: z.string(),
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
  'look_hypercore',
  'return_hypercore',
  'redeliver_webhooks',
] as const;
/** One of {@link OPERATOR_COMMANDS}. */
export type OperatorCommandName = (typeof OPERATOR_COMMANDS)[number];

/** What an operator can ask for and take out of the system, by its name in the audit log. */
export const OPERATOR_QUERIES = ['list', 'show', 'reconcile', 'export', 'webhooks'] as const;
/** One of {@link OPERATOR_QUERIES}. */
export type OperatorQueryName = (typeof OPERATOR_QUERIES)[number];

/** One line of the audit log: a command was given, how it ended, or a query was asked. Lines are added and never changed. */
export const operatorActionEntrySchema = z.object({
  actionId: z.string(),
  kind: z.enum(['ordered', 'done', 'refused', 'looked_up']),
  action: z.enum([...OPERATOR_COMMANDS, ...OPERATOR_QUERIES]),
  /** Absent where it concerns all jobs. */
  jobId: jobIdSchema.optional(),
  /** Name of the API key. */
  operator: z.string(),
  /** Only a query may be without one. */
  reason: z.string().optional(),
  at: timeSchema,
  /** Where money was released to. */
  to: z.string().optional(),
  /** How it ended, in a sentence. */
  outcome: z.string().optional(),
});
export type OperatorActionEntry = z.infer<typeof operatorActionEntrySchema>;

/** Answer of `GET /operator/actions`, newest first. */
export const operatorActionsResponseSchema = z.object({ actions: z.array(operatorActionEntrySchema) });

/** Query of `GET /operator/actions`. */
export const operatorActionsQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(500).default(50),
});
export type OperatorActionsQuery = z.infer<typeof operatorActionsQuerySchema>;

/** Which jobs an operator asks for: newest first, the page before a time. */
export const jobFilterSchema = z.object({
  status: jobStatusSchema.optional(),
  before: timeSchema.optional(),
  limit: z.coerce.number().int().min(1).max(500).default(50),
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

/** A job in the operator's list. */
export const operatorJobSchema = jobStatusResponseSchema
  .omit({ receipt: true, receiptUnavailable: true })
  .extend({ walletIndex: z.number().int(), returnAddress: z.string().nullable() });
export type OperatorJob = z.infer<typeof operatorJobSchema>;

/** Answer of `GET /operator/jobs`. */
export const operatorJobsResponseSchema = z.object({ jobs: z.array(operatorJobSchema) });

/** One entry of a job's timeline: what happened, with its facts as plain values. Entries are added and never changed. */
export const timelineEntrySchema = z.object({
  at: timeSchema,
  /** Such as `deposit.credited`, `job.status_changed`, `transfer.settled` or `operator.pause`. */
  action: z.string(),
  /** What led to it, such as an event's id or the name of an API key. */
  cause: z.string(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});
export type TimelineEntry = z.infer<typeof timelineEntrySchema>;

/** Answer of `GET /operator/jobs/{jobId}`. */
export const operatorJobResponseSchema = z.object({
  job: operatorJobSchema,
  timeline: z.array(timelineEntrySchema),
});
export type OperatorJobResponse = z.infer<typeof operatorJobResponseSchema>;

/** One line of a job's ledger. */
export const ledgerLineSchema = z.object({
  id: z.string(),
  kind: z.string(),
  asset: z.enum(['hype', 'token']),
  from: z.string(),
  to: z.string(),
  /** Wei, or the token's smallest unit. */
  amount: weiSchema,
  transactionHash: z.string().nullable(),
  blockNumber: z.number().int().nullable(),
  recordedAt: timeSchema,
});
export type LedgerLine = z.infer<typeof ledgerLineSchema>;

/** A sum with its sign, in wei. */
const signedWeiSchema = z.string().regex(/^-?\d+$/);

/** Answer of `GET /operator/jobs/{jobId}/reconciliation`: the ledger beside the chain, and what differs. */
export const reconciliationResponseSchema = z.object({
  jobId: jobIdSchema,
  walletAddress: z.string(),
  verdict: z.enum(['equal', 'surplus', 'missing', 'foreign_nonces', 'open_transactions', 'no_ledger']),
  /** Block whose state was read. */
  blockNumber: z.number().int(),
  chainWei: weiSchema,
  /** What the ledger says the wallet must hold: free and held. */
  expectedWei: signedWeiSchema,
  differenceWei: signedWeiSchema,
  /** Set apart for an operator: what a release is about. */
  heldWei: signedWeiSchema,
  /** Sums of the ledger's entries by kind. */
  totals: z.record(z.string(), weiSchema),
  /** Nonces that the chain has used up, and those that this service signed. */
  usedNonces: z.number().int(),
  signedNonces: z.number().int(),
  openTransactions: z.number().int(),
  /** In sentences, for the operator. */
  explanation: z.array(z.string()),
});
export type ReconciliationResponse = z.infer<typeof reconciliationResponseSchema>;
