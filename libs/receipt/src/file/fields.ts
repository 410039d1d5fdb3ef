import { z } from 'zod';

/** An address in lower case, so that it has one spelling. */
export const address = z
  .string()
  .regex(/^0x[0-9a-f]{40}$/, 'must be an address in lower case')
  .transform((value) => value as `0x${string}`);
/** A hash in lower case. */
export const hash = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/, 'must be a hash in lower case')
  .transform((value) => value as `0x${string}`);
/** A time in UTC, to the millisecond. */
export const time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'must be a time such as 2026-01-31T12:00:00.000Z')
  .refine((value) => !Number.isNaN(Date.parse(value)), 'is no time');
/** Free text of the service. It proves nothing; `quoted` shows it. */
export const text = z.string().max(1000);
/** A secp256k1 signature of typed data, 65 bytes. */
export const signature = z
  .string()
  .regex(/^0x[0-9a-f]{128}1[bc]$/, 'must be 65 bytes in lower case, the last of them 1b or 1c')
  .transform((value) => value as `0x${string}`);
