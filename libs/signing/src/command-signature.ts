import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** Prefix of every signed command, so that no other Ed25519 signature of the same key counts as a command's. */
const DOMAIN = 'hyperevm-maker-bot operator command 1\n';

/** The text is no Ed25519 key; the message never contains the text. */
export class OperatorKeyError extends Error {
  readonly code = 'OPERATOR_KEY_UNUSABLE';

  constructor(problem: string) {
    super(`The operator's key ${problem}`);
    this.name = 'OperatorKeyError';
  }
}

/** An operator's public key from its 32 bytes in base64url, the form of the configuration. @throws OperatorKeyError */
export function readPublicKey(base64url: string): KeyObject {
  if (Buffer.from(base64url, 'base64url').length !== 32) throw new OperatorKeyError('is not 32 bytes in base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: base64url }, format: 'jwk' });
}

/** An operator's private key from PKCS 8 in PEM, the output of `openssl genpkey -algorithm ed25519`. @throws OperatorKeyError */
export function readPrivateKey(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // The library's own message may contain parts of the key.
  }
  throw new OperatorKeyError('is no Ed25519 key in PEM');
}

/** The public half in the form of the configuration: 32 bytes in base64url. */
export function publicKeyText(key: KeyObject): string {
  return String(key.export({ format: 'jwk' }).x);
}

/** The bytes that an operator signs, as text: the operator's own tool can sign it, such as `openssl pkeyutl -sign -rawin`. */
export function commandToSign(text: string): string {
  return DOMAIN + text;
}

/** The text of a command from a result of {@link commandToSign}; undefined for any other text. */
export function commandText(signed: string): string | undefined {
  return signed.startsWith(DOMAIN) ? signed.slice(DOMAIN.length) : undefined;
}

/** Signs a command's text. @returns 64 bytes in base64url */
export function signCommand(text: string, privateKey: KeyObject): string {
  return sign(null, Buffer.from(commandToSign(text)), privateKey).toString('base64url');
}

/** Whether a signature is valid for exactly this text. */
export function isSignedBy(text: string, signature: string, publicKey: KeyObject): boolean {
  return verify(null, Buffer.from(commandToSign(text)), publicKey, Buffer.from(signature, 'base64url'));
}

/** Previous hash of a log's first row. */
export const FIRST_HASH = '0'.repeat(64);

/** A row of a log of commands; its hash covers every field. */
export interface ChainedRow {
  readonly number: number;
  readonly at: string;
  readonly text: string;
  readonly signatures: readonly { readonly operator: string; readonly signature: string }[];
  readonly outcome: string;
  readonly previousHash: string;
}

/** Hash of a row, which the next row contains: SHA-256 over its fields in this order, hexadecimal. */
export function hashOfRow({ number, at, text, signatures, outcome, previousHash }: ChainedRow): string {
  const signed = signatures.map(({ operator, signature }) => [operator, signature]);
  const fields = JSON.stringify([number, at, text, signed, outcome, previousHash]);
  return createHash('sha256').update(fields).digest('hex');
}
