import { z } from 'zod';

/** Wei in JSON: a number does not hold it, so it travels as decimal digits. */
const weiSchema = z.union([z.string().regex(/^\d+$/), z.bigint().nonnegative()]).transform((value) => BigInt(value));

/** What other people want of the blocks of one kind. */
const trafficSchema = z.strictObject({
  /** Share of each block's gas that they ask for, 0 to 1. */
  share: z.number().min(0).max(1),
  /** Priority fee that each of them offers, wei. */
  tipWei: weiSchema,
  /** They stay away while the base fee is above this, wei; it is where a full chain's base fee comes to rest. */
  mostBaseFeeWei: weiSchema,
});

const switchesSchema = z.strictObject({
  /** System transactions stand in blocks and receipts, as some providers show them. Off: only `eth_getSystemTxs…` tells. */
  includeSystemTransactions: z.boolean().default(false),
  /** Heights above the head are answered with null, as Ethereum's nodes do: for measuring against. */
  nullAboveHead: z.boolean().default(false),
  /** `eth_call` and `eth_estimateGas` of code that is at no address are refused, as by some providers. */
  refuseDeploylessCalls: z.boolean().default(false),
  /** State and block overrides are refused, as by some providers. */
  refuseStateOverrides: z.boolean().default(false),
  /** Who comes first into a block: the highest tip, or who was there first. Sources disagree. */
  inclusionOrder: z.enum(['tip', 'arrival']).default('tip'),
  /** Requests a minute that one address may make, each call of a batch counted; 0 is no limit. */
  requestsPerMinute: z.int().nonnegative().default(0),
  /** Each answer waits up to so many milliseconds. */
  jitterMs: z.int().nonnegative().default(0),
  /** Every other request is answered by a node that learns of blocks so many milliseconds later; 0 is one node. */
  secondNodeBehindMs: z.int().nonnegative().default(0),
  /** Blocks that the node still knows, the head included. */
  keptBlocks: z.int().positive().default(1_210_000),
  /** Other people's transactions, by kind of block; null is none. */
  otherTraffic: z
    .strictObject({ small: trafficSchema.nullable(), big: trafficSchema.nullable() })
    .default({ small: null, big: null }),
});

/** What can be changed while the node runs: where HyperEVM's endpoints differ, or what is not known of them. */
export type Switches = z.output<typeof switchesSchema>;
/** What other people want of the blocks of one kind. */
export type Traffic = z.output<typeof trafficSchema>;

/** The public endpoint on a quiet day, without its rate limit. */
export const DEFAULT_SWITCHES = switchesSchema.parse({});

/**
 * The switches after a change.
 * @param change switches by name, wei as decimal digits or bigint; a part of `otherTraffic` may be given alone
 * @throws z.ZodError naming the switch that is unknown or has a value that it cannot have
 */
export function changedSwitches(current: Switches, change: unknown): Switches {
  const partial = z.looseObject({ otherTraffic: z.looseObject({}).optional() }).parse(change);
  return switchesSchema.parse({
    ...current,
    ...partial,
    otherTraffic: { ...current.otherTraffic, ...partial.otherTraffic },
  });
}

/** Switches as they came over the wire. */
export function readSwitches(received: unknown): Switches {
  return switchesSchema.parse(received);
}
