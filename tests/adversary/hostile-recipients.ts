import type { HostileContract } from '@maker/local-stack';
import type { Address } from 'viem';
import { type Arena, PAID } from './arena.ts';
import type { End } from './ends.ts';
import type { Market } from './markets.ts';

/** A hostile or unusable return address. */
export interface HostileRecipient {
  readonly does: string;
  /** The cost of the attack. */
  readonly costs: string;
  /** The end of a job with this attacker only. */
  readonly end: End;
  /** @returns the address that the job request names */
  prepare(arena: Arena, market: Market): Promise<Address>;
  /** Its contract, if it is hostile. */
  readonly is?: HostileContract;
  /** Its contract before the end of the job, if it changes. */
  readonly later?: HostileContract;
}

const REFUSES = 'the return address takes no HYPE: it refuses it';

/** Tokens reach any address; the HYPE waits for an operator. */
const held = (because: string): string => `completed; tokens delivered; HYPE held; because ${because}`;

const contract = (does: string, becomes: HostileContract, because: string): HostileRecipient => ({
  does,
  end: held(because),
  costs: 'a deployment',
  is: becomes,
  async prepare(arena) {
    const address = arena.newAddress();
    await arena.become(address, becomes);
    return address;
  },
});

/** Sends back its value to the sender. */
const SENDS_BACK = '0x5f5f5f5f34335af100' as const;

/** Recipients of the arena. */
export const HOSTILE_RECIPIENTS: readonly HostileRecipient[] = [
  contract(
    'burns the gas it is given',
    'TakesTooMuchGas',
    'the return address takes no HYPE: it needs more gas for it than the 1,000,000 that a transaction may have',
  ),
  contract('refuses all', 'TakesNothing', REFUSES),
  contract('refuses large sums', 'TakesLittle', REFUSES),
  contract(
    'accepts an estimate and reverts when mined',
    'RefusesWhenItIsMined',
    'the return address reverted the return',
  ),
  {
    does: 'sends back its payment',
    costs: 'a deployment',
    end: 'completed; tokens delivered; HYPE returned; HYPE held; because the return address reverted the return',
    async prepare(arena) {
      const address = arena.newAddress();
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
    end: "refused: This is the token's own contract: anything sent to it is lost",
    prepare: async (_arena, { token }) => token,
  },
  {
    does: 'is a router',
    costs: 'nothing',
    end: "refused: This is an exchange's contract: anything sent to it is lost",
    prepare: async ({ stack }) => stack.contracts.v2Router,
  },
  {
    does: 'has no code until the money comes, and refuses then',
    costs: 'a deployment',
    end: held(REFUSES),
    prepare: async (arena) => arena.newAddress(),
    later: 'TakesNothing',
  },
];
