import { z } from 'zod';
import { priceX96Schema, signedWeiSchema, weiSchema } from '../primitives.ts';

const basisPoints = z.number().int();

/** Execution quality of a job. Formulas: docs/quality.md. */
export const receiptQualitySchema = z.object({
  arrivalPriceX96: priceX96Schema.describe('Price that the visitor saw before paying, without the pool fee.'),
  averagePriceX96: priceX96Schema.describe('Average price paid in pools, with the pool fee.'),
  slippageBps: basisPoints.describe('How many fewer tokens arrived than quoted, in basis points; negative if more.'),
  priceImpactBps: basisPoints.describe(
    "How far the orders moved the price, in basis points of the tokens' worth at the arrival price.",
  ),
  shortfall: z
    .object({
      totalWei: signedWeiSchema,
      impactWei: signedWeiSchema,
      driftWei: signedWeiSchema,
      poolFeeWei: weiSchema,
      gasWei: weiSchema,
      serviceFeeWei: weiSchema,
    })
    .describe("Cost beyond the tokens' worth at the arrival price. The parts sum to the total to the wei."),
  shortfallBps: basisPoints.describe('The shortfall in basis points.'),
  twapX96: priceX96Schema
    .optional()
    .describe('Time-weighted average price of the pool over the same time; absent if all was bought at one moment.'),
  againstSingleSwapBps: basisPoints
    .optional()
    .describe(
      'How many more tokens than one swap of the same HYPE at the start; negative if fewer. Absent if no pool accepts so much.',
    ),
  againstTwapBps: basisPoints.optional().describe('How much cheaper than `twapX96`; negative if more expensive.'),
});
export type ReceiptQuality = z.infer<typeof receiptQualitySchema>;
