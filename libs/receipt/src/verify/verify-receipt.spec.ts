import { privateKeyToAccount } from 'viem/accounts';
import { expect, it } from 'vitest';
import { honestReceipt, OTHER_KEY, signedBy, WALLET, WALLET_KEY } from '../honest-receipt.fixture.ts';
import { judge } from './judge.fixture.ts';
import { openReceipt, verifyReceipt } from './verify-receipt.ts';

it('an honest receipt is accepted, and is told what was proven and what cannot be known (design § 2.6)', async () => {
  const honest = honestReceipt(24);
  const verdict = await judge(await signedBy(WALLET_KEY, honest.receipt), honest);
  expect(verdict.broken).toBeUndefined();
  expect(verdict.proven.join('\n')).toMatchInlineSnapshot(`
    "The job's wallet 0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a signed this file.
    The chain is 999, and block 30, up to which the receipt tells, is on it.
    One wallet: 0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a has sent 28 transactions in its life, and the receipt explains each.
    The job was paid with 0.25 HYPE by 0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa alone.
    The fee is 30 % of what the job was paid with, sent once: 0.075 HYPE.
    Only buys: 22 purchases from pools brought 879120 DEMO; no token was ever sold.
    Schedule: one standard order every 138 s, or as many merged into one; none came early.
    Price band: no order was placed at more than 10 % above the price that it is measured from.
    1 pauses are told, and nothing was bought in any of them.
    879120 DEMO were delivered to 0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.
    0.165849 HYPE went back to 0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, and 0.009987 HYPE of other deposits to who had sent them.
    Every wei is explained: 0.26 HYPE = fee 0.075 HYPE + orders 0.0088 HYPE + gas 0.000364 HYPE + returned 0.175836 HYPE + left 0 HYPE.
    The job has ended by 2027-01-17T09:00:00.000Z: the budget is spent.
    The wallet holds 0 HYPE now, which covers what the receipt says is left."
  `);
  expect(verdict.unknown.join('\n')).toMatchInlineSnapshot(`
    "Which price the payer saw before paying: compare the one in the receipt with your own page.
    What the exchanges quoted at the time: the chain shows no past states, only the minimum that each order held them to.
    That 0xcccccccccccccccccccccccccccccccccccccccc is the service's treasury, and that the plan is the one shown before payment: the receipt says so under the wallet's signature.
    Why the job paused: its reasons are what the service says; that nothing was bought meanwhile is checked."
  `);
});

it('what is no receipt is told by its place and its fault', async () => {
  const file = await signedBy(WALLET_KEY, honestReceipt(1).receipt);
  const token = { ...file.receipt.token, decimals: 'many' };
  expect(await openReceipt(null)).toEqual({
    broken: { rule: 'format', problem: expect.stringMatching(/^This is no receipt of a job: Invalid input/) },
  });
  expect(await openReceipt({ ...file, receipt: { ...file.receipt, token } })).toEqual({
    broken: {
      rule: 'format',
      problem: expect.stringMatching(/^This is no receipt of a job: receipt\.token\.decimals Invalid input.*\.$/),
    },
  });
});

it('a file that the wallet did not sign as it stands is refused, whoever did', async () => {
  const { receipt } = honestReceipt(1);
  const signer = privateKeyToAccount(OTHER_KEY).address.toLowerCase();
  expect(await openReceipt(await signedBy(OTHER_KEY, receipt))).toEqual({
    broken: {
      rule: 'signature',
      problem: `The file is not signed by the job's wallet ${WALLET} but, as it stands, by ${signer}: somebody changed it, or the wallet never signed it.`,
    },
  });
  const signature = `0x${'00'.repeat(64)}1b`;
  expect(await openReceipt({ receipt, signature })).toEqual({
    broken: {
      rule: 'signature',
      problem: `The file is not signed by the job's wallet ${WALLET}: somebody changed it, or the wallet never signed it.`,
    },
  });
});

it('of a receipt that is not so nothing is said that cannot be known', async () => {
  const { receipt, facts } = honestReceipt(2);
  const verdict = verifyReceipt(await signedBy(WALLET_KEY, receipt), { ...facts, chainId: 1 });
  expect(verdict).toMatchObject({ broken: { rule: 'chain' }, unknown: [] });
});
