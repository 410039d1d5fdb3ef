import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import type { SignedCommand } from '@maker/contracts';
import { publicKeyText, signCommand } from '@maker/signing/commands';
import type { Address } from 'viem';

/** Private keys of the operators whose commands the maker carries out. */
const OPERATORS: Readonly<Record<string, KeyObject>> = {
  anna: generateKeyPairSync('ed25519').privateKey,
  bob: generateKeyPairSync('ed25519').privateKey,
};

/** Their public keys, as `MAKER_OPERATOR_KEYS`. */
export const OPERATOR_KEYS = Object.entries(OPERATORS)
  .map(([name, key]) => `${name}:${publicKeyText(key)}`)
  .join(',');

/** Fields of a command, without those that every command has. */
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

/** Returns a signed command. @param by names of the operators who sign, by default both */
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
