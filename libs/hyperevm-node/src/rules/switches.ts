import { z } from 'zod';

/** Wei in JSON, as decimal digits: a JSON number is too small. */
const weiSchema = z.union([z.string().regex(/^\d+$/), z.bigint().nonnegative()]).transform((value) => BigInt(value));

/** Demand of other users for blocks of one kind. */
const trafficSchema = z.strictObject({
  /** Share of each block's gas that they use, 0 to 1. */
  share: z.number().min(0).max(1),
  /** Their priority fee, wei. */
  tipWei: weiSchema,
  /** They send nothing while the base fee is above this, wei. A full chain's base fee settles at this value. */
  mostBaseFeeWei: weiSchema,
});

const switchesSchema = z.strictObject({
  /** Blocks and receipts contain system transactions, as at some providers. Off: only `eth_getSystemTxs…` shows them. */
  includeSystemTransactions: z.boolean().default(false),
  /** Heights above the head are answered with null, as Ethereum's nodes do: for measurements. */
  nullAboveHead: z.boolean().default(false),
  /** Rejects `eth_call` and `eth_estimateGas` without a recipient, as some providers do. */
  refuseDeploylessCalls: z.boolean().default(false),
  /** Rejects state and block overrides, as some providers do. */
  refuseStateOverrides: z.boolean().default(false),
  /** Order in a block: by tip or by arrival. Sources disagree. */
  inclusionOrder: z.enum(['tip', 'arrival']).default('tip'),
  /** Requests a minute of one address, each call of a batch counted; 0 is no limit. */
  requestsPerMinute: z.int().nonnegative().default(0),
  /** Each answer waits a random time up to this, milliseconds. */
  jitterMs: z.int().nonnegative().default(0),
  /** A second node answers every other request and learns of blocks this many milliseconds later; 0 disables it. */
  secondNodeBehindMs: z.int().nonnegative().default(0),
  /** Blocks that the node keeps, the head included. */
  keptBlocks: z.int().positive().default(1_210_000),
  /** Transactions of other users, by kind of block; null disables them. */
  otherTraffic: z
    .strictObject({ small: trafficSchema.nullable(), big: trafficSchema.nullable() })
    .default({ small: null, big: null }),
});

/** Settings that can change while the node runs: HyperEVM's endpoints differ in them, or their behaviour is unknown. */
export type Switches = z.output<typeof switchesSchema>;
/** Demand of other users for blocks of one kind. */
export type Traffic = z.output<typeof trafficSchema>;

/** The public endpoint on a quiet day, without its rate limit. */
export const DEFAULT_SWITCHES = switchesSchema.parse({});

/**
 * The switches after a change.
 * @param change switches by name, wei as decimal digits or bigint; it may contain only a part of `otherTraffic`
 * @throws z.ZodError naming the switch that is unknown or has an invalid value
 */
export function changedSwitches(current: Switches, change: unknown): Switches {
  const partial = z.looseObject({ otherTraffic: z.looseObject({}).optional() }).parse(change);
  return switchesSchema.parse({
    ...current,
    ...partial,
    otherTraffic: { ...current.otherTraffic, ...partial.otherTraffic },
  });
}

/** Parses switches received as JSON. */
export function readSwitches(received: unknown): Switches {
  return switchesSchema.parse(received);
}
