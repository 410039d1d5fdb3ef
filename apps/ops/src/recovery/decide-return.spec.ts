import { type Address, getAddress } from 'viem';
import { describe, expect, it } from 'vitest';
import { decideReturn } from './decide-return.ts';
import type { WalletTrace } from './trace-wallets.ts';

const account = (digit: string): Address => getAddress(`0x${digit.repeat(40)}`);
const [payer, other, contract, treasury, wallet] = ['1', '2', '3', '4', '5'].map(account) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];
const isContract = (address: Address) => address === contract;
const isOurs = (address: Address) => address === wallet;

function trace(
  incoming: readonly (readonly [Address, bigint])[],
  sent: readonly [Address, bigint][] = [],
): WalletTrace {
  return {
    incoming: incoming.map(([from, amountWei]) => ({ from, amountWei, transactionHash: '0x' })),
    sent: new Map(sent),
    gasWei: 5n,
    tokens: new Set(),
  };
}

describe('decideReturn (design § 4)', () => {
  it('returns all money to a sole payer', () => {
    const facts = {
      balanceWei: 65n,
      trace: trace(
        [
          [payer, 60n],
          [payer, 40n],
        ],
        [[treasury, 30n]],
      ),
    };
    expect(decideReturn(facts, isContract, isOurs).returnTo).toBe(payer);
  });

  it.each<[string, WalletTrace | undefined]>([
    ['no blocks were read', undefined],
    ['no transfer to it', { ...trace([]), gasWei: -65n }],
    ['came by no plain transfer', trace([[payer, 60n]])],
    [
      '2 addresses paid',
      trace([
        [payer, 40n],
        [other, 30n],
      ]),
    ],
    ['paid by a contract', trace([[contract, 70n]])],
    ['another wallet of this service', trace([[wallet, 70n]])],
  ])('leaves the decision to a person: %s', (because, traced) => {
    const decision = decideReturn({ balanceWei: 65n, trace: traced }, isContract, isOurs);
    expect(decision.returnTo).toBeNull();
    expect(decision.because).toContain(because);
  });
});
