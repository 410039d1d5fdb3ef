import { privateKeyToAccount } from 'viem/accounts';
import { expect, it } from 'vitest';
import { honestReceipt, OTHER_KEY, signedBy, WALLET, WALLET_KEY } from '../honest-receipt.fixture.ts';
import { judge } from './judge.fixture.ts';
import { openReceipt, verifyReceipt } from './verify-receipt.ts';

it('accepts an honest receipt with proven and unknown', async () => {
  const honest = honestReceipt(24);
  const verdict = await judge(await signedBy(WALLET_KEY, honest.receipt), honest);
  expect(verdict.broken).toBeUndefined();
  expect(verdict.proven.join('\n')).toMatchInlineSnapshot(`
    "The job's wallet 0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a signed this file.
    The chain is 999, and it has block 30, the newest in the receipt.
    One wallet: 0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a has sent 28 transactions in total, and the receipt explains each.
    The job was paid with 0.25 HYPE by 0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa alone.
    The fee is 30 % of the payment, sent once: 0.075 HYPE to 0xcccccccccccccccccccccccccccccccccccccccc.
    Only buys: 22 purchases (by their calls) brought 879120 tokens of 0xdddddddddddddddddddddddddddddddddddddddd; 22 of them used pools that the factories of exchanges name (hyperswap-v2). None of these tokens was sold.
    Gas: no order paid more than 10 gwei.
    Schedule: no faster than one standard order every 462 s.
    Price: no order paid more than 0.00000001001001001 HYPE for a token.
    Delivered: 879120 tokens to 0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, the payer.
    Returned: 0.165849 HYPE to 0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, the payer; of deposits that pay for no order, 0.009987 HYPE to 0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.
    Every wei is explained: 0.26 HYPE = fee 0.075 HYPE + orders 0.0088 HYPE + gas 0.000364 HYPE + returned 0.175836 HYPE + left 0 HYPE.
    Orders spent 0.0088 HYPE of the order budget of 0.075 HYPE, which also pays for expensive gas.
    The wallet holds 0 HYPE now, which covers the amount that the receipt lists as left.
    The job is as agreed: token 0xdddddddddddddddddddddddddddddddddddddddd, payment until 2027-01-15T08:14:00.000Z, return to the payer, a price band of 10 % and a slippage limit of 1 %."
  `);
  expect(verdict.unknown.join('\n')).toMatchInlineSnapshot(`
    "Whether 0xcccccccccccccccccccccccccccccccccccccccc, to which the fee of 0.075 HYPE went, is the treasury of the service.
    Whether another pool was cheaper: prices were not checked. The check takes at least 3 requests, and one more for each 50 blocks since the last order."
  `);
});

it('names place and fault of an invalid receipt', async () => {
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

it('rejects a file with a wrong signature', async () => {
  const { receipt } = honestReceipt(1);
  const signer = privateKeyToAccount(OTHER_KEY).address.toLowerCase();
  expect(await openReceipt(await signedBy(OTHER_KEY, receipt))).toEqual({
    broken: {
      rule: 'signature',
      problem: `The job's wallet ${WALLET} did not sign this content (the signature is by ${signer}): the file was changed, or the wallet never signed it.`,
    },
  });
  const signature = `0x${'00'.repeat(64)}1b`;
  expect(await openReceipt({ receipt, signature })).toEqual({
    broken: {
      rule: 'signature',
      problem: `The job's wallet ${WALLET} did not sign this content: the file was changed, or the wallet never signed it.`,
    },
  });
});

it('lists nothing unknown for a false receipt', async () => {
  const { receipt, facts } = honestReceipt(2);
  const verdict = verifyReceipt(await signedBy(WALLET_KEY, receipt), { ...facts, chainId: 1 });
  expect(verdict).toMatchObject({ broken: { rule: 'chain' }, unknown: [] });
});
