import { z } from 'zod';
import { addressSchema, timeSchema } from '../primitives.ts';

/** Path of the file on a site that names its service. Source: docs/receipt.md. */
export const SERVICE_FILE_PATH = '/.well-known/hyperevm-maker-bot.json';

/** Addresses of a service in a period. Periods may overlap: a fee may be pending while the treasury changes. */
export const servicePeriodSchema = z.strictObject({
  /** Receives the fees. */
  treasury: addressSchema,
  /** Addresses of the keys that sign agreements. */
  agreementSigners: z.array(addressSchema).min(1).max(10),
  /** Null: since the beginning. */
  from: timeSchema.nullable(),
  /** Null: until now. */
  to: timeSchema.nullable(),
});
export type ServicePeriod = z.infer<typeof servicePeriodSchema>;

/** What a service publishes about itself on its site. Source: docs/adr/0168. */
export const serviceFileSchema = z.strictObject({
  chainId: z.int().positive(),
  periods: z.array(servicePeriodSchema).min(1).max(100),
  /** An off-line key, and its signature over the rest of the file as canonical JSON (RFC 8785, EIP-191). */
  identity: z.strictObject({ address: addressSchema, signature: z.string().regex(/^0x[0-9a-fA-F]{130}$/) }).optional(),
});
export type ServiceFile = z.infer<typeof serviceFileSchema>;
