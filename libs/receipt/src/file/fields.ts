import { z } from 'zod';

/** In lower case, the one way to write it. */
export const address = z
  .string()
  .regex(/^0x[0-9a-f]{40}$/, 'must be an address in lower case')
  .transform((value) => value as `0x${string}`);
/** In lower case. */
export const hash = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/, 'must be a hash in lower case')
  .transform((value) => value as `0x${string}`);
/** To the millisecond, UTC. */
export const time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'must be a time such as 2026-01-31T12:00:00.000Z')
  .refine((value) => !Number.isNaN(Date.parse(value)), 'is no time');
/** What its author makes of it: shown by `quoted`, and proven by nothing. */
export const text = z.string().max(1000);
/** By a secp256k1 key over typed data, 65 bytes. */
export const signature = z
  .string()
  .regex(/^0x[0-9a-f]{128}1[bc]$/, 'must be 65 bytes in lower case, the last of them 1b or 1c')
  .transform((value) => value as `0x${string}`);
