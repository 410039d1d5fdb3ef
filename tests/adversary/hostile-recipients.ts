import type { HostileContract } from '@maker/local-stack';
import type { Address } from 'viem';
import { type Arena, PAID } from './arena.ts';
import type { Market } from './markets.ts';

/** A return address that means harm, or is no place for money. */
export interface HostileRecipient {
  readonly does: string;
  /** What it costs to attack so. */
  readonly costs: string;
  /** @returns the address that the job request names */
  prepare(arena: Arena, market: Market): Promise<Address>;
  /** What it turns into before the end of the job. */
  readonly later?: HostileContract;
}

const contract = (does: string, becomes: HostileContract): HostileRecipient => ({
  does,
  costs: 'a deployment',
  async prepare(arena) {
    const address = arena.nobody();
    await arena.become(address, becomes);
    return address;
  },
});

/** Sends what it gets back to whoever sends it. */
const SENDS_BACK = '0x5f5f5f5f34335af100' as const;

/** Recipients that the arena is tried with. */
export const HOSTILE_RECIPIENTS: readonly HostileRecipient[] = [
  contract('burns the gas it is given', 'TakesTooMuchGas'),
  contract('refuses all', 'TakesNothing'),
  contract('refuses large sums', 'TakesLittle'),
  contract('lets an estimate pass and refuses what is mined', 'RefusesWhenItIsMined'),
  {
    does: 'sends back what it gets',
    costs: 'a deployment',
    async prepare(arena) {
      const address = arena.nobody();
      await arena.setCode(address, SENDS_BACK);
      return address;
    },
  },
  {
    does: 'is a wallet of another job',
    costs: 'nothing',
    async prepare({ product }, { token }) {
      return (await product.createJob(token, Number(PAID))).paymentAddress as Address;
    },
  },
  { does: 'is the token', costs: 'nothing', prepare: async (_arena, { token }) => token },
  { does: 'is a router', costs: 'nothing', prepare: async ({ stack }) => stack.contracts.v2Router },
  {
    does: 'has no code until the money comes, and refuses then',
    costs: 'a deployment',
    prepare: async (arena) => arena.nobody(),
    later: 'TakesNothing',
  },
];
