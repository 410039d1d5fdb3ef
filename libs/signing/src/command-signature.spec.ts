import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  FIRST_HASH,
  hashOfRow,
  isSignedBy,
  OperatorKeyError,
  publicKeyText,
  readPrivateKey,
  readPublicKey,
  signCommand,
} from './command-signature.ts';

/** The first test vector of RFC 8032. */
const SECRET = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
const PUBLIC = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
const PKCS8 = `302e020100300506032b657004220420${SECRET}`;
const pem = `-----BEGIN PRIVATE KEY-----\n${Buffer.from(PKCS8, 'hex').toString('base64')}\n-----END PRIVATE KEY-----\n`;

describe("an operator's key", () => {
  it('has the public half of RFC 8032', () => {
    expect(publicKeyText(readPrivateKey(pem))).toBe(Buffer.from(PUBLIC, 'hex').toString('base64url'));
  });

  it.each([
    ['another curve', generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey],
    ['an RSA key', generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey],
  ])('is refused where it is %s', (_, key) => {
    const text = key.export({ type: 'pkcs8', format: 'pem' }).toString();
    expect(() => readPrivateKey(text)).toThrow(OperatorKeyError);
  });

  it('is refused without a valid key, and not repeated', () => {
    expect(() => readPrivateKey('a secret text')).toThrow(expect.not.stringMatching(/secret text/));
    for (const text of ['', 'abc', `${'A'.repeat(43)}AA`])
      expect(() => readPublicKey(text)).toThrow("The operator's key is not 32 bytes in base64url");
    expect(() => readPrivateKey('a secret text')).toThrow(
      expect.objectContaining({
        name: 'OperatorKeyError',
        code: 'OPERATOR_KEY_UNUSABLE',
        message: "The operator's key is no Ed25519 key in PEM",
      }),
    );
  });

  it('has equal text from either half', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    expect(publicKeyText(publicKey)).toBe(publicKeyText(privateKey));
  });
});

it('binds text, key and purpose', () => {
  const key = readPrivateKey(pem);
  const publicKey = readPublicKey(publicKeyText(key));
  const signature = signCommand('{"a":1}', key);
  expect(isSignedBy('{"a":1}', signature, publicKey)).toBe(true);
  expect(isSignedBy('{"a":2}', signature, publicKey)).toBe(false);
  const other = readPublicKey(publicKeyText(generateKeyPairSync('ed25519').privateKey));
  expect(isSignedBy('{"a":1}', signature, other)).toBe(false);
  expect(isSignedBy('{"a":1}', `${signature.slice(0, -2)}AA`, publicKey)).toBe(false);
});

it('signs a command under its own domain', () => {
  const key = readPrivateKey(pem);
  const signed = (text: string) => sign(null, Buffer.from(text), key).toString('base64url');
  expect(signCommand('{}', key)).toBe(signed('hyperevm-maker-bot operator command 1\n{}'));
  expect(isSignedBy('{}', signed('{}'), readPublicKey(publicKeyText(key)))).toBe(false);
});

it('chains rows by hash: a change anywhere changes it', () => {
  const row = {
    number: 1,
    at: '2026-01-01T00:00:00.000Z',
    text: '{}',
    signatures: [{ operator: 'anna', signature: 'x' }],
    outcome: 'done',
    previousHash: FIRST_HASH,
  };
  const changes = [
    { number: 2 },
    { at: '' },
    { text: '' },
    { signatures: [] },
    { signatures: [{ operator: 'berta', signature: 'x' }] },
    { signatures: [{ operator: 'anna', signature: 'y' }] },
    { outcome: '' },
    { previousHash: '' },
  ];
  expect(hashOfRow(row)).toMatch(/^[0-9a-f]{64}$/);
  const hashes = changes.map((change) => hashOfRow({ ...row, ...change }));
  expect(new Set([hashOfRow(row), ...hashes]).size).toBe(changes.length + 1);
});
