import { z } from 'zod';
import { addressSchema, timeSchema, weiSchema } from '../primitives.ts';

/** Body of `POST /validate-token`. Source: specification § 3. */
export const validateTokenRequestSchema = z.object({ tokenAddress: addressSchema });
export type ValidateTokenRequest = z.infer<typeof validateTokenRequestSchema>;

/** Result of a pool search. Source: specification § 3. */
export const liquidityStatusSchema = z.object({
  meetsMinimum: z.boolean().describe('Whether some pool has the minimum liquidity.'),
  hasV2: z.boolean().describe('Whether a pool of a V2 exchange exists.'),
  hasV3: z.boolean().describe('Whether a pool of a V3 exchange exists.'),
  selectedDex: z
    .string()
    .optional()
    .describe("Exchange where a standard order costs least with gas, such as 'hyperswap-v3'; absent if there is none."),
  v2LiquidityHype: z
    .number()
    .nonnegative()
    .optional()
    .describe('HYPE side of the best pool, in HYPE, for display only.'),
  v3LiquidityHype: z
    .number()
    .nonnegative()
    .optional()
    .describe('HYPE side of the best V3 pool, in HYPE, for display only.'),
  v2LiquidityWei: weiSchema.optional().describe('`v2LiquidityHype` exactly, in wei.'),
  v3LiquidityWei: weiSchema.optional().describe('`v3LiquidityHype` exactly, in wei.'),
});
export type LiquidityStatus = z.infer<typeof liquidityStatusSchema>;

/** Answer of `POST /validate-token` and of the NATS request `token.validate`. Source: specification § 3. */
export const validateTokenResponseSchema = z.object({
  isValid: z.boolean().describe('Whether a job for this token is accepted.'),
  errorMessage: z.string().optional().describe('Why the token is invalid, in a sentence for the visitor.'),
  reason: z
    .enum([
      'NOT_A_CONTRACT',
      'NOT_A_TOKEN',
      'BELOW_MINIMUM_LIQUIDITY',
      'UNSUPPORTED_POOL',
      'FEE_ON_TRANSFER',
      'CANNOT_BUY',
      'CANNOT_SELL',
      'CANNOT_TRANSFER',
    ])
    .optional()
    .describe('Stable name of the reason, such as `FEE_ON_TRANSFER`.'),
  liquidityStatus: liquidityStatusSchema.describe('Pools of the token.'),
  token: z
    .object({
      symbol: z.string().describe('Symbol of the token.'),
      name: z.string().describe('Name of the token.'),
      decimals: z.number().int().describe('Decimals of the token.'),
    })
    .optional()
    .describe('The token.'),
  checkedAtBlock: z
    .object({ number: z.number().int().describe('Number of the block.'), at: timeSchema })
    .describe('Block at which the chain was read. Its time decides whether a payment is in time. Source: design § 4.'),
});
export type ValidateTokenResponse = z.infer<typeof validateTokenResponseSchema>;
