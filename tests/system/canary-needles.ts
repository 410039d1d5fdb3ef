import { bytesToHex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';

/** A form in which a secret could appear somewhere. */
export interface Needle {
  /** A label without the secret. */
  readonly name: string;
  readonly bytes: Buffer;
}

const WORDS_IN_A_ROW = 3;
const WALLETS = 4;
/** Characters of an API key that identify it, so that a shortened or misspelt one is found too. */
const KEY_PART = 30;

/** A text in the two forms in which V8 keeps it, and as base64. */
function text(name: string, value: string): Needle[] {
  return [
    { name, bytes: Buffer.from(value, 'latin1') },
    { name: `${name} (UTF-16)`, bytes: Buffer.from(value, 'utf16le') },
    // Without its end, which depends on the next characters.
    { name: `${name} (base64)`, bytes: Buffer.from(Buffer.from(value).toString('base64').slice(0, -4)) },
  ];
}

function key(name: string, value: Uint8Array): Needle[] {
  const hex = bytesToHex(value).slice(2);
  return [
    { name: `${name} (bytes)`, bytes: Buffer.from(value) },
    ...text(`${name} (hex)`, hex),
    ...text(`${name} (HEX)`, hex.toUpperCase()),
    ...text(`${name} (decimal)`, BigInt(`0x${hex}`).toString()),
  ];
}

/** Every form of a seed: the phrase and parts of it, the account key, and the keys of the first wallets. */
export function seedNeedles(mnemonic: string): Needle[] {
  const words = mnemonic.split(' ');
  const parts = words.slice(WORDS_IN_A_ROW - 1).map((_, at) => words.slice(at, at + WORDS_IN_A_ROW).join(' '));
  const accountKey = mnemonicToAccount(mnemonic, { path: "m/44'/60'/0'" }).getHdKey();
  const wallets = Array.from({ length: WALLETS }, (_, addressIndex) =>
    mnemonicToAccount(mnemonic, { addressIndex }).getHdKey(),
  );
  return [
    ...text('the phrase', mnemonic),
    ...parts.flatMap((part, at) => text(`words ${at + 1} to ${at + WORDS_IN_A_ROW} of the phrase`, part)),
    ...text('the xprv', accountKey.privateExtendedKey),
    ...key('the account key', expectBytes(accountKey.privateKey)),
    ...wallets.flatMap(({ privateKey }, index) => key(`the key of wallet ${index}`, expectBytes(privateKey))),
  ];
}

/** Forms of an API key, also cut or misspelt at its end. */
export function apiKeyNeedles(name: string, value: string): Needle[] {
  return text(name, value.slice(0, KEY_PART));
}

/** Names of the needles in some bytes. */
export function findNeedles(haystack: Buffer | string, needles: readonly Needle[]): string[] {
  const bytes = typeof haystack === 'string' ? Buffer.from(haystack) : haystack;
  return needles.filter((needle) => bytes.includes(needle.bytes)).map(({ name }) => name);
}

/** Results of a search: an assertion on them prints no secret. */
export type Findings = Record<string, string[]>;

/** Adds the needles found at a place, if any. */
export function note(findings: Findings, place: string, found: readonly string[]): void {
  if (found.length > 0) findings[place] = [...new Set([...(findings[place] ?? []), ...found])];
}

function expectBytes(value: Uint8Array | null): Uint8Array {
  if (!value) throw new Error('the account has no private key');
  return value;
}
