import { parseHype } from '@maker/rules';
import type { Address } from 'viem';
import type { Actor } from './actor.ts';
import { type Arena, PAID } from './arena.ts';
import { type End, UNHARMED } from './ends.ts';

/** A payer who pays in an unexpected way, or a stranger who pays into a job. */
export interface HostilePayer {
  readonly does: string;
  /** The cost of the attack. */
  readonly costs: string;
  /** The end of a job with this attacker only. */
  readonly end: End;
  /** Pays the job, or does not. @returns the strangers who attack; none if the payer harms himself */
  pay(arena: Arena, wallet: Address): Promise<readonly Actor[]>;
}

const ENOUGH = parseHype(PAID);
const FEES = parseHype('0.01');

/** Forwards its value to the address in the first 20 bytes of its calldata, as a Safe or an exchange does. */
const PASSES_ON = '0x5f5f5f5f345f3560601c5af100' as const;

const DUST = 'it is too small to pay the network fee of its return';

/** Sends sums to a job's wallet, each in its own transaction, from a new account. */
async function sendAll(arena: Arena, wallet: Address, sums: readonly bigint[]): Promise<Actor> {
  const sender = await arena.newActor(sums.reduce((sum, wei) => sum + wei, FEES));
  for (const value of sums) await sender.send({ to: wallet, value });
  return sender;
}

/** Only the payer pays. */
async function payAll(arena: Arena, wallet: Address, sums: readonly bigint[]): Promise<readonly Actor[]> {
  await sendAll(arena, wallet, sums);
  return [];
}

async function payByContract(arena: Arena, wallet: Address): Promise<readonly Actor[]> {
  const sender = await arena.newActor(ENOUGH + FEES);
  const contract = arena.newAddress();
  await arena.setCode(contract, PASSES_ON);
  await sender.send({ to: contract, value: ENOUGH, data: wallet });
  return [];
}

/** Payers of the arena. */
export const HOSTILE_PAYERS: readonly HostilePayer[] = [
  {
    does: 'a stranger sends a wei before the payer pays',
    costs: 'a wei and the gas of a transfer',
    // The ledger of a trading wallet counts dust, but it is no deposit (docs/adr/0053).
    end: UNHARMED,
    async pay(arena, wallet) {
      const stranger = await sendAll(arena, wallet, [1n]);
      await sendAll(arena, wallet, [ENOUGH]);
      return [stranger];
    },
  },
  {
    does: 'a stranger sends a wei to a job that a contract pays',
    costs: 'a wei and the gas of a transfer',
    end: UNHARMED,
    async pay(arena, wallet) {
      await payByContract(arena, wallet);
      return [await sendAll(arena, wallet, [1n])];
    },
  },
  {
    does: 'a stranger adds what an underpaid job lacks',
    costs: 'the gas of a transfer',
    end: UNHARMED,
    async pay(arena, wallet) {
      await sendAll(arena, wallet, [ENOUGH - parseHype('0.01')]);
      return [await sendAll(arena, wallet, [parseHype('0.01')])];
    },
  },
  {
    does: 'a stranger pays the whole job a second time',
    costs: 'the gas of a transfer',
    end: `${UNHARMED}; deposits returned`,
    async pay(arena, wallet) {
      await sendAll(arena, wallet, [ENOUGH]);
      return [await sendAll(arena, wallet, [ENOUGH])];
    },
  },
  {
    does: 'the payer pays in ten parts',
    costs: 'ten transfers',
    end: UNHARMED,
    pay: (arena, wallet) => payAll(arena, wallet, Array(10).fill(ENOUGH / 10n)),
  },
  {
    does: 'the payer pays twice as much',
    costs: 'nothing',
    end: UNHARMED,
    pay: (arena, wallet) => payAll(arena, wallet, [ENOUGH * 2n]),
  },
  {
    does: 'the payer lacks a wei',
    costs: 'the gas of two transfers',
    end: 'payment_expired; nothing bought; HYPE returned; deposits returned',
    pay: (arena, wallet) => payAll(arena, wallet, [ENOUGH - 1n]),
  },
  {
    does: 'a stranger sends dust and never pays',
    costs: 'the gas of twenty transfers',
    end: `payment_expired; nothing bought; deposits held; because ${DUST}`,
    pay: async (arena, wallet) => [await sendAll(arena, wallet, Array(20).fill(1n))],
  },
  {
    does: 'strangers send dust while the job runs',
    costs: 'the gas of forty transfers',
    end: UNHARMED,
    async pay(arena, wallet) {
      await sendAll(arena, wallet, [ENOUGH]);
      return Promise.all([1, 2, 3, 4].map(() => sendAll(arena, wallet, Array(10).fill(1n))));
    },
  },
  {
    does: 'the payer pays through a contract',
    costs: 'nothing',
    end: UNHARMED,
    pay: payByContract,
  },
];
