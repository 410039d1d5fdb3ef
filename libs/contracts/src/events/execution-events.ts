import { z } from 'zod';
import { hashSchema, pauseReasonSchema, timeSchema, weiSchema } from '../primitives.ts';
import { defineEvent } from './event.ts';

/** The execution exists and its fee is on the way. From maker-executor. */
export const executionStarted = defineEvent(
  'execution.started',
  z.object({
    plannedOrders: z.number().int().describe('Orders that the schedule plans.'),
    intervalMs: z.number().describe('Time between two orders, ms.'),
    feeWei: weiSchema,
    orderBudgetWei: weiSchema,
  }),
);

/** Orders were mined: one event per block that holds orders of the job. From maker-executor. */
export const ordersMined = defineEvent(
  'order.mined',
  z.object({
    blockNumber: z.number().int().describe('Number of the block.'),
    minedInBlock: z.number().int().describe('Orders of the job in this block.'),
    ordersPlaced: z.number().int().describe('Orders mined so far.'),
    tradedWei: weiSchema,
    tokensBought: weiSchema,
    nextOrderAt: timeSchema.optional(),
  }),
);

/** The job waits. From maker-executor. */
export const executionPaused = defineEvent('execution.paused', z.object({ reason: pauseReasonSchema }));

/** The job continues after a pause. From maker-executor. */
export const executionResumed = defineEvent('execution.resumed', z.object({ reason: pauseReasonSchema }));

/** Orders are done, tokens delivered, the rest returned or held with a reason. From maker-executor; read by job. */
export const executionCompleted = defineEvent(
  'execution.completed',
  z.object({
    ordersPlaced: z.number().int().describe('Orders mined so far.'),
    tradedWei: weiSchema,
    gasWei: weiSchema,
    feeWei: weiSchema,
    deliveredTokens: weiSchema,
    returnedWei: weiSchema,
    heldReason: z.string().optional().describe('Why money is held, in a sentence.'),
  }),
);

/** No further order is possible. Bought tokens are delivered and the rest is returned. From maker-executor; read by job. */
export const executionFailed = defineEvent(
  'execution.failed',
  z.object({
    reason: z.enum(['liquidity', 'technical', 'cancelled']).describe('Why trading ended.'),
    message: z.string().describe('A sentence for people.'),
    ordersPlaced: z.number().int().describe('Orders mined so far.'),
    returnedWei: weiSchema,
  }),
);

/** A fee, delivery or return is final. From maker-executor; read by job for the timeline. */
export const transferSettled = defineEvent(
  'transfer.settled',
  z.object({
    kind: z.enum(['fee', 'delivery', 'return']).describe('Kind of the transfer.'),
    succeeded: z.boolean().describe('Whether the transfer succeeded.'),
    transactionHash: hashSchema,
    to: z.string().describe('Recipient; for a delivery, the contract of the token.'),
    amount: weiSchema.describe('Wei for fee and return, smallest units of the token for delivery.'),
    gasWei: weiSchema,
    blockNumber: z.number().int().nonnegative().describe('Number of the block.'),
  }),
);

/** Operators cancel the job by a signed command, which maker-executor checked. From maker-executor; read by job, which decides the end. */
export const executionCancelCommanded = defineEvent(
  'execution.cancel_commanded',
  z.object({ operators: z.array(z.string()).min(1).max(5) }),
);
