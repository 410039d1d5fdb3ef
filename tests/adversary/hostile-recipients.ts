import type { HostileContract } from '@maker/local-stack';
import type { Address } from 'viem';
import { type Arena, PAID } from './arena.ts';
import type { End } from './ends.ts';
import type { Market } from './markets.ts';

/** A return address that means harm, or is no place for money. */
export interface HostileRecipient {
  readonly does: string;
  /** What it costs to attack so. */
  readonly costs: string;
  /** How the job ends that meets nobody else. */
  readonly end: End;
  /** @returns the address that the job request names */
  prepare(arena: Arena, market: Market): Promise<Address>;
  /** The contract that it is, where it is one of those that mean harm. */
  readonly is?: HostileContract;
  /** What it turns into before the end of the job. */
  readonly later?: HostileContract;
}

const REFUSES = 'the return address takes no HYPE: it refuses it';

/** Tokens need nobody's consent; the HYPE waits for an operator. */
const held = (because: string): string => `completed; tokens delivered; HYPE held; because ${because}`;

const contract = (does: string, becomes: HostileContract, because: string): HostileRecipient => ({
  does,
  end: held(because),
  costs: 'a deployment',
  is: becomes,
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
  contract(
    'burns the gas it is given',
    'TakesTooMuchGas',
    'the return address takes no HYPE: it needs more gas for it than the 1,000,000 that a transaction may have',
  ),
  contract('refuses all', 'TakesNothing', REFUSES),
  contract('refuses large sums', 'TakesLittle', REFUSES),
  contract(
    'lets an estimate pass and refuses what is mined',
    'RefusesWhenItIsMined',
    'the return address reverted the return',
  ),
  {
    does: 'sends back what it gets',
    costs: 'a deployment',
    end: 'completed; tokens delivered; HYPE returned; HYPE held; because the return address reverted the return',
    async prepare(arena) {
      const address = arena.nobody();
      await arena.setCode(address, SENDS_BACK);
      return address;
    },
  },
  {
    does: 'is a wallet of another job',
    costs: 'nothing',
    end: 'refused: This is the payment address of a job: enter an address of your own',
    async prepare({ product }, { token }) {
      return (await product.createJob(token, Number(PAID))).paymentAddress as Address;
    },
  },
  {
    does: 'is the token',
    costs: 'nothing',
    end: "refused: This is the token's own contract: what is sent there is lost",
    prepare: async (_arena, { token }) => token,
  },
  {
    does: 'is a router',
    costs: 'nothing',
    end: "refused: This is an exchange's contract: what is sent there is lost",
    prepare: async ({ stack }) => stack.contracts.v2Router,
  },
  {
    does: 'has no code until the money comes, and refuses then',
    costs: 'a deployment',
    end: held(REFUSES),
    prepare: async (arena) => arena.nobody(),
    later: 'TakesNothing',
  },
];
