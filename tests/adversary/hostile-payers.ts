import { parseHype } from '@maker/rules';
import type { Address } from 'viem';
import type { Actor } from './actor.ts';
import { type Arena, PAID } from './arena.ts';
import { type End, UNHARMED } from './ends.ts';

/** Somebody who pays in a way that was not asked for, or pays into somebody's job. */
export interface HostilePayer {
  readonly does: string;
  /** What it costs to attack so. */
  readonly costs: string;
  /** How the job ends that meets nobody else. */
  readonly end: End;
  /** Pays the job, or does not. @returns the strangers who meant harm to it: nobody where the payer harms himself */
  pay(arena: Arena, wallet: Address): Promise<readonly Actor[]>;
}

const ENOUGH = parseHype(PAID);
const FEES = parseHype('0.01');

/** Passes its value on to the address in the first 20 bytes of its calldata, as a Safe or an exchange does. */
const PASSES_ON = '0x5f5f5f5f345f3560601c5af100' as const;

const DUST = 'it is too small to pay the gas of its own return';

/** Sends sums to a job's wallet, each in a transaction of its own, by one who has nothing else. */
async function sendAll(arena: Arena, wallet: Address, sums: readonly bigint[]): Promise<Actor> {
  const somebody = await arena.somebody(sums.reduce((sum, wei) => sum + wei, FEES));
  for (const value of sums) await somebody.send({ to: wallet, value });
  return somebody;
}

/** The payer alone pays. */
async function payAll(arena: Arena, wallet: Address, sums: readonly bigint[]): Promise<readonly Actor[]> {
  await sendAll(arena, wallet, sums);
  return [];
}

async function payByContract(arena: Arena, wallet: Address): Promise<readonly Actor[]> {
  const somebody = await arena.somebody(ENOUGH + FEES);
  const contract = arena.nobody();
  await arena.setCode(contract, PASSES_ON);
  await somebody.send({ to: contract, value: ENOUGH, data: wallet });
  return [];
}

/** Payers that the arena is tried with. */
export const HOSTILE_PAYERS: readonly HostilePayer[] = [
  {
    does: 'a stranger sends a wei before the payer pays',
    costs: 'a wei and the gas of a transfer',
    // Dust of a wallet that spends is in its ledger, and no deposit of its own (docs/adr/0053).
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
    does: 'somebody sends dust and never pays',
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
