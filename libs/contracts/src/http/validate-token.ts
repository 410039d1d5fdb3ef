import { z } from 'zod';
import { addressSchema, timeSchema, weiSchema } from '../primitives.ts';

/** Body of `POST /validate-token`. Source: specification § 3. */
export const validateTokenRequestSchema = z.object({ tokenAddress: addressSchema });
export type ValidateTokenRequest = z.infer<typeof validateTokenRequestSchema>;

/** What a pool search found. Source: specification § 3. */
export const liquidityStatusSchema = z.object({
  meetsMinimum: z.boolean(),
  hasV2: z.boolean(),
  hasV3: z.boolean(),
  /** Exchange where a standard order costs least after gas, such as 'hyperswap-v3'; absent when there is none. */
  selectedDex: z.string().optional(),
  /** HYPE side of the best pool, in HYPE, for display only. */
  v2LiquidityHype: z.number().nonnegative().optional(),
  v3LiquidityHype: z.number().nonnegative().optional(),
  /** The same figures exactly. */
  v2LiquidityWei: weiSchema.optional(),
  v3LiquidityWei: weiSchema.optional(),
});
export type LiquidityStatus = z.infer<typeof liquidityStatusSchema>;

/** Answer of `POST /validate-token`; also of the NATS request `token.validate`. Source: specification § 3. */
export const validateTokenResponseSchema = z.object({
  isValid: z.boolean(),
  /** Present when invalid: what is wrong, in a sentence for the visitor. */
  errorMessage: z.string().optional(),
  /** Stable name of the reason, such as `FEE_ON_TRANSFER`. */
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
    .optional(),
  liquidityStatus: liquidityStatusSchema,
  token: z.object({ symbol: z.string(), name: z.string(), decimals: z.number().int() }).optional(),
  /** The block at which the chain was read: the clock by which a job's deadline is judged. Source: design § 4. */
  checkedAtBlock: z.object({ number: z.number().int(), at: timeSchema }),
});
export type ValidateTokenResponse = z.infer<typeof validateTokenResponseSchema>;
