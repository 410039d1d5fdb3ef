import { z } from 'zod';
import { priceX96Schema, signedWeiSchema, weiSchema } from '../primitives.ts';

const basisPoints = z.number().int();

/** How well a job bought. Formulas: docs/quality.md; prices are wei for the token's smallest unit, times 2^96. */
export const receiptQualitySchema = z.object({
  arrivalPriceX96: priceX96Schema.describe("What the visitor saw before paying, without the pool's fee."),
  averagePriceX96: priceX96Schema.describe('What was paid in pools, their fee in it.'),
  slippageBps: basisPoints.describe('Tokens fewer than quoted; below zero where more arrived. Basis points.'),
  priceImpactBps: basisPoints.describe(
    "By how much the orders moved the price, in basis points of the tokens' worth at arrival.",
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
    .describe("What was given beyond the tokens' worth at arrival, and its parts, which sum to it to the wei."),
  shortfallBps: basisPoints.describe('The shortfall in basis points.'),
  twapX96: priceX96Schema
    .optional()
    .describe('Price of the pool over the same time; absent where all was bought at one moment.'),
  againstSingleSwapBps: basisPoints
    .optional()
    .describe(
      'More tokens than one swap of the same HYPE at the start; below zero if fewer. Absent where no pool takes so much.',
    ),
  againstTwapBps: basisPoints
    .optional()
    .describe("Cheaper than the pool's average over the same time; below zero if dearer."),
});
export type ReceiptQuality = z.infer<typeof receiptQualitySchema>;
