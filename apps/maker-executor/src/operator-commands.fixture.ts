import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import type { SignedCommand } from '@maker/contracts';
import { publicKeyText, signCommand } from '@maker/signing/commands';
import type { Address } from 'viem';

/** Those whose commands the maker carries out. */
const OPERATORS: Readonly<Record<string, KeyObject>> = {
  anna: generateKeyPairSync('ed25519').privateKey,
  bob: generateKeyPairSync('ed25519').privateKey,
};

/** The same as `MAKER_OPERATOR_KEYS`. */
export const OPERATOR_KEYS = Object.entries(OPERATORS)
  .map(([name, key]) => `${name}:${publicKeyText(key)}`)
  .join(',');

/** What a command says, beside what every command says. */
export interface CommandFields {
  action: string;
  jobId?: string;
  to?: Address;
  amountWei?: string;
  gasFrom?: Address;
  walletAddress?: Address;
  walletIndex?: number;
  tokens?: readonly Address[];
  wallet?: { address: Address; index: number; tokenAddress: Address };
}

/** A command as operators sign it. @param by both operators unless told */
export function signedCommand(fields: CommandFields, by: readonly string[] = Object.keys(OPERATORS)): SignedCommand {
  const expiresAt = new Date(Date.now() + 600_000).toISOString();
  const command = { chainId: 31337, reason: 'a test', nonce: randomUUID(), expiresAt, ...fields };
  const text = JSON.stringify(command);
  const signatures = by.map((operator) => ({
    operator,
    signature: signCommand(text, OPERATORS[operator] as KeyObject),
  }));
  return { text, signatures };
}
