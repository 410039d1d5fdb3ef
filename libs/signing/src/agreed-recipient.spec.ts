import { generateKeyPairSync } from 'node:crypto';
import { getAddress } from 'viem';
import { describe, expect, it } from 'vitest';
import { AgreedRecipient, type RecipientClaim } from './agreed-recipient.ts';
import { agreementFixture, termsFixture, testAgreementKey } from './agreement.fixture.ts';
import { signCommand } from './command-signature.ts';

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const PAYER = getAddress(`0x${'c1'.repeat(20)}`);
const OTHER = getAddress(`0x${'c2'.repeat(20)}`);
const THIEF = getAddress(`0x${'d1'.repeat(20)}`);
const THIEFS_KEY = `0x${'d1'.repeat(32)}` as const;
const keys = { ana: generateKeyPairSync('ed25519'), ben: generateKeyPairSync('ed25519') };
const trust = {
  chainId: 31337,
  agreementSigners: [testAgreementKey.address],
  operatorKeys: new Map(Object.entries(keys).map(([name, { publicKey }]) => [name, publicKey])),
};

const lower = (address: string) => address.toLowerCase() as `0x${string}`;
const agreement = agreementFixture({ wallet: lower(WALLET), returnAddress: lower(PAYER) });
const nobody = { ...agreement, returnAddress: null };
const activation = {
  depositWei: '1',
  paidAt: agreement.createdAt,
  payer: lower(PAYER),
  slotMs: 1.5,
  tradingEndsAt: agreement.latestEndAt,
  latestEndAt: agreement.latestEndAt,
};
const claim: RecipientClaim = {
  id: agreement.jobId,
  walletAddress: WALLET,
  returnAddress: PAYER,
  terms: termsFixture(agreement, [{ activation }]),
  activatedAt: new Date(0),
};
const proven = { isProven: true };

function released(by: readonly (keyof typeof keys)[], fields: object = {}): NonNullable<RecipientClaim['release']> {
  const command = {
    ...{ action: 'release', chainId: 31337, jobId: agreement.jobId, amountWei: '1', reason: 'the payer asked' },
    ...{ nonce: '0f5c2f4e-8f1e-4f8e-9d8e-3b0c3a1f2d4e', expiresAt: '2026-01-01T00:00:00.000Z', to: lower(OTHER) },
    ...fields,
  };
  const text = JSON.stringify(command);
  const signatures = by.map((operator) => ({ operator, signature: signCommand(text, keys[operator].privateKey) }));
  return { text, signatures };
}

describe('the recipient of a return (docs/adr/0142)', () => {
  it.each<[string, RecipientClaim]>([
    ['the named address', claim],
    [
      'an address of an amendment',
      {
        ...claim,
        returnAddress: OTHER,
        terms: termsFixture(agreement, [{ returnAddress: lower(OTHER) }, { activation }]),
      },
    ],
    ['the proven payer', { ...claim, terms: termsFixture(nobody, [{ activation }]), payerClaim: proven }],
    ['an address that two operators signed', { ...claim, returnAddress: OTHER, release: released(['ana', 'ben']) }],
  ])('is %s', (_, one) => {
    expect(AgreedRecipient.ofReturn(one, trust)).toMatchObject({ address: one.returnAddress });
  });

  const changed = { ...claim, returnAddress: THIEF };
  const away = termsFixture(agreement, [{ returnAddress: lower(THIEF) }, { activation }]);
  it.each<[string, RecipientClaim, RegExp]>([
    ['another address in the row', changed, /not the agreed one/],
    [
      'another payer in the row',
      {
        ...changed,
        terms: termsFixture(nobody, [{ activation }]),
        payerClaim: proven,
      },
      /not the agreed one/,
    ],
    [
      'a payer without a proof',
      {
        ...claim,
        terms: termsFixture(nobody, [{ activation }]),
        payerClaim: { isProven: false },
      },
      /no return address is known/,
    ],
    ['no agreement', { ...changed, terms: undefined } as never, /it has no agreement/],
    [
      'an agreement of another form',
      { ...changed, terms: { ...claim.terms, amendments: 'x' } as never },
      /no valid form/,
    ],
    [
      'an agreement by another key',
      { ...changed, terms: termsFixture({ ...agreement, returnAddress: lower(THIEF) }, [{ activation }], THIEFS_KEY) },
      /not signed/,
    ],
    [
      'an agreement of another job',
      {
        ...changed,
        terms: termsFixture({ ...agreement, jobId: `job_${'b'.repeat(32)}`, returnAddress: lower(THIEF) }, [
          { activation },
        ]),
      },
      /of another job/,
    ],
    [
      'an agreement of another wallet',
      {
        ...changed,
        terms: termsFixture({ ...agreement, wallet: lower(OTHER), returnAddress: lower(THIEF) }, [{ activation }]),
      },
      /of another job/,
    ],
    [
      'an amendment by another key',
      {
        ...changed,
        terms: {
          ...away,
          amendments: termsFixture(agreement, [{ returnAddress: lower(THIEF) }, { activation }], THIEFS_KEY).amendments,
        },
      },
      /amendment is not signed/,
    ],
    ['left out amendments', { ...claim, terms: { ...away, amendments: away.amendments.slice(1) } }, /does not follow/],
    [
      'a left out activation',
      { ...claim, terms: { ...away, amendments: away.amendments.slice(0, 1) } },
      /activation is not agreed/,
    ],
    [
      'amendments in another order',
      { ...claim, terms: { ...away, amendments: away.amendments.toReversed() } },
      /does not follow/,
    ],
    [
      'an amendment after the activation',
      { ...changed, terms: termsFixture(agreement, [{ activation }, { returnAddress: lower(THIEF) }]) },
      /does not follow/,
    ],
    ['one operator', { ...claim, returnAddress: OTHER, release: released(['ana']) }, /not the agreed one/],
    [
      'operators of another job',
      { ...claim, returnAddress: OTHER, release: released(['ana', 'ben'], { jobId: `job_${'b'.repeat(32)}` }) },
      /not the agreed one/,
    ],
    ['operators to another address', { ...changed, release: released(['ana', 'ben']) }, /not the agreed one/],
    ['operators twice', { ...claim, returnAddress: OTHER, release: released(['ana', 'ana']) }, /not the agreed one/],
  ])('is nobody for %s', (_, one, why) => {
    expect(AgreedRecipient.ofReturn(one, trust)).toEqual({ holdReason: expect.stringMatching(why) });
  });
});

describe('the recipient of a refund', () => {
  it('is the agreed return address or a proven sender', () => {
    const unpaid = { ...claim, activatedAt: undefined, terms: termsFixture(agreement) } as never;
    expect(AgreedRecipient.ofRefund(unpaid, PAYER, trust)).toMatchObject({ address: PAYER });
    expect(AgreedRecipient.ofRefund(unpaid, THIEF, trust)).toEqual({
      holdReason: expect.stringMatching(/not the agreed one/),
    });
    const unnamed = { ...claim, terms: termsFixture(nobody, [{ activation }]), payerClaim: proven };
    expect(AgreedRecipient.ofRefund(unnamed, PAYER, trust)).toEqual({ holdReason: 'no return address is known' });
    expect(AgreedRecipient.ofSender(THIEF, 'proven').address).toBe(THIEF);
    expect(() => AgreedRecipient.ofSender(THIEF, 'refuted' as never)).toThrow();
  });
});
