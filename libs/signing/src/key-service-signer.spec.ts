import { secp256k1 } from '@noble/curves/secp256k1.js';
import {
  bytesToHex,
  type Hex,
  hexToBytes,
  parseTransaction,
  recoverTransactionAddress,
  recoverTypedDataAddress,
} from 'viem';
import { describe, expect, it } from 'vitest';
import { awsKmsKey } from './aws-kms.ts';
import { type KeyService, KeyServiceError } from './key-service.ts';
import { KeyServiceSigner } from './key-service-signer.ts';
import { SIGNATURES, TREASURY, treasuryTransfer } from './treasury-vectors.fixture.ts';
import { NOTE } from './typed-note.fixture.ts';

const HALF_ORDER = secp256k1.Point.Fn.ORDER / 2n;
const ORDER = secp256k1.Point.Fn.ORDER;

/** A key service with the treasury's key. */
const TREASURY_KEYS: KeyService = {
  publicKey: async () => hexToBytes(TREASURY.publicKey),
  sign: async (digest) => secp256k1.sign(digest, hexToBytes(TREASURY.privateKey), { prehash: false, format: 'der' }),
};

/** A key service with configured answers. */
function giving(signature: Hex, publicKey: Hex = TREASURY.publicKey) {
  const asked: Hex[] = [];
  const keys: KeyService = {
    publicKey: async () => hexToBytes(publicKey),
    async sign(digest) {
      asked.push(bytesToHex(digest));
      return hexToBytes(signature);
    },
  };
  return { keys, asked };
}

describe('KeyServiceSigner in the treasury role (design § 6)', () => {
  it.each(SIGNATURES.map((vector, nonce) => ({ ...vector, nonce })))(
    'turns a DER signature with $shape into a valid transaction',
    async ({ nonce, digest, der, rawTransaction, hash }) => {
      const { keys, asked } = giving(der);
      const signer = await KeyServiceSigner.open(keys);
      expect(signer.address).toBe(TREASURY.address);

      expect(await signer.signTransaction(treasuryTransfer(nonce))).toEqual({ rawTransaction, hash });
      expect(asked).toEqual([digest]);
      const serializedTransaction: `0x02${string}` = rawTransaction;
      expect(await recoverTransactionAddress({ serializedTransaction })).toBe(TREASURY.address);
      expect(BigInt(parseTransaction(serializedTransaction).s ?? 0)).toBeLessThanOrEqual(HALF_ORDER);
    },
  );

  it('signs every field as the seed does', async () => {
    const signer = await KeyServiceSigner.open(TREASURY_KEYS);
    const transaction = { ...treasuryTransfer(7), data: '0xabcd', valueWei: 0n } as const;
    const { rawTransaction } = await signer.signTransaction(transaction);
    expect(parseTransaction(rawTransaction as `0x02${string}`)).toMatchObject({
      type: 'eip1559',
      chainId: 999,
      nonce: 7,
      to: transaction.to.toLowerCase(),
      data: '0xabcd',
      gas: 21_000n,
      maxFeePerGas: 2_000_000_000n,
      maxPriorityFeePerGas: 100_000_000n,
    });
  });

  it('signs typed data by digest', async () => {
    const signer = await KeyServiceSigner.open(TREASURY_KEYS);
    const signature = await signer.signTypedData(NOTE);
    expect(await recoverTypedDataAddress({ ...NOTE, signature })).toBe(TREASURY.address);
  });
});

const hexOf = (scalar: bigint) => scalar.toString(16).padStart(64, '0');
const VALID: Hex = SIGNATURES[1].der;

/** Casts changed text to the type of hex. */
const hex = (text: string) => text as Hex;

describe('a signature that is refused and never shown', () => {
  it.each<[string, Hex]>([
    ['nothing', '0x'],
    ['r and s side by side, without DER', `0x${'11'.repeat(64)}`],
    ['a byte after its end', `${VALID}00`],
    ['a byte missing', hex(VALID.slice(0, -2))],
    ['another tag than a sequence', hex(VALID.replace('0x30', '0x31'))],
    ['another tag than an integer', hex(VALID.replace('0x304402', '0x304403'))],
    ['a length that is too small', hex(VALID.replace('0x3044', '0x3043'))],
    ['a length in the long form', hex(VALID.replace('0x3044', '0x308144'))],
    ['a length without end', hex(VALID.replace('0x3044', '0x3080'))],
    ['a needless zero before r', hex(`0x3045022100${VALID.slice(10)}`)],
    ['a negative r', hex(VALID.replace('0x3044022031', '0x30440220b1'))],
    ['r of nothing', `0x30240200${VALID.slice(74)}`],
    ['r of 0', `0x3025020100${VALID.slice(74)}`],
    ['s of 0', hex(`${VALID.slice(0, 74).replace('0x3044', '0x3025')}020100`)],
    ['r of the order of the curve', hex(`0x3045022100${hexOf(ORDER)}${VALID.slice(74)}`)],
    ['s of the order of the curve', hex(`${VALID.slice(0, 74).replace('0x3044', '0x3045')}022100${hexOf(ORDER)}`)],
    ['a third value', hex(`${VALID.replace('0x3044', '0x3047')}020101`)],
    ['r only', hex(VALID.slice(0, 74).replace('0x3044', '0x3022'))],
  ])('has %s', async (_problem, der) => {
    const signer = await KeyServiceSigner.open(giving(der).keys);
    const failure = signer.signTransaction(treasuryTransfer(1));
    await expect(failure).rejects.toThrow(KeyServiceError);
    await expect(failure).rejects.toThrow(/gave no DER signature/);
  });

  it('is of another transaction, or by another key', async () => {
    const signer = await KeyServiceSigner.open(giving(VALID).keys);
    await expect(signer.signTransaction(treasuryTransfer(2))).rejects.toThrow(/not by the key of 0x0B58D3f8/);
    const byAnother = secp256k1.sign(hexToBytes(SIGNATURES[1].digest), hexToBytes(`0x${'01'.repeat(32)}`), {
      prehash: false,
      format: 'der',
    });
    const deceived = await KeyServiceSigner.open(giving(bytesToHex(byAnother)).keys);
    await expect(deceived.signTransaction(treasuryTransfer(1))).rejects.toThrow(/not by the key of/);
  });

  it('has an r without a point', async () => {
    const signer = await KeyServiceSigner.open(giving('0x3006020105020101').keys);
    await expect(signer.signTransaction(treasuryTransfer(1))).rejects.toThrow(/not by the key of/);
  });
});

describe('a public key that is refused', () => {
  const key = TREASURY.publicKey;
  it.each<[string, Hex]>([
    ['nothing', '0x'],
    ['the bare point', `0x${key.slice(48)}`],
    ['a point that is cut', hex(key.slice(0, -2))],
    ['a byte after its end', `${key}00`],
    ['a key of P-256', hex(key.replace('06052b8104000a', '06082a8648ce3d030107'))],
    ['a key of secp384r1', hex(key.replace('2b8104000a', '2b81040022'))],
    ['a point that is not on the curve', hex(`${key.slice(0, -2)}98`)],
    ['a compressed point', `0x3036301006072a8648ce3d020106052b8104000a03220003${key.slice(50, 114)}`],
    ['a compressed point with the length of an uncompressed one', hex(`${key.slice(0, 48)}03${key.slice(50, 114)}`)],
    ['a hybrid point', hex(key.replace('03420004', '03420007'))],
  ])('is %s', async (_problem, publicKey) => {
    const failure = KeyServiceSigner.open(giving(VALID, publicKey).keys);
    await expect(failure).rejects.toThrow(KeyServiceError);
    await expect(failure).rejects.toThrow(
      /gave no public key of secp256k1 with an uncompressed point|gave a public key that is no point of secp256k1/,
    );
  });
});

describe('awsKmsKey', () => {
  const keyId = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd';
  const right = { PublicKey: hexToBytes(TREASURY.publicKey), KeySpec: 'ECC_SECG_P256K1', KeyUsage: 'SIGN_VERIFY' };

  it('requests a raw digest signature of KMS', async () => {
    const requests: object[] = [];
    const signer = await KeyServiceSigner.open(
      awsKmsKey(
        {
          async getPublicKey(request) {
            requests.push(request);
            return right;
          },
          async sign(request) {
            requests.push({ ...request, Message: bytesToHex(request.Message) });
            return { Signature: hexToBytes(VALID) };
          },
        },
        keyId,
      ),
    );
    expect((await signer.signTransaction(treasuryTransfer(1))).hash).toBe(SIGNATURES[1].hash);
    expect(requests).toEqual([
      { KeyId: keyId },
      {
        KeyId: keyId,
        Message: SIGNATURES[1].digest,
        MessageType: 'DIGEST',
        SigningAlgorithm: 'ECDSA_SHA_256',
      },
    ]);
  });

  it.each([
    ['for another curve', { ...right, KeySpec: 'ECC_NIST_P256' }, /ECC_NIST_P256/],
    ['for another use', { ...right, KeyUsage: 'KEY_AGREEMENT' }, /KEY_AGREEMENT/],
    ['without its public key', { ...right, PublicKey: undefined }, /without a public key/],
  ])('refuses a key %s', async (_problem, answer, message) => {
    const kms = { getPublicKey: async () => answer, sign: async () => ({}) };
    await expect(KeyServiceSigner.open(awsKmsKey(kms, keyId))).rejects.toThrow(message);
  });

  it('refuses an answer without a signature', async () => {
    const signer = await KeyServiceSigner.open(
      awsKmsKey({ getPublicKey: async () => right, sign: async () => ({}) }, keyId),
    );
    await expect(signer.signTransaction(treasuryTransfer(1))).rejects.toThrow(/without a signature/);
  });
});
