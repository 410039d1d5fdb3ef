import { type Address, bytesToHex, type Hex } from 'viem';
import { type HDKey, mnemonicToAccount, privateKeyToAddress } from 'viem/accounts';

/** Public knowledge, worth nothing outside a local chain. Not the well-known phrase, whose accounts others use too. */
export const CHAIN_MNEMONIC = 'scorpion describe cost conduct model appear online near spin fire betray pig';

/** An account of the local chain. */
export interface DemoAccount {
  address: Address;
  privateKey: Hex;
}

let parent: HDKey | undefined;

/** What the accounts are derived from, once: the phrase alone takes 2,048 rounds of a hash. */
function parentKey(): HDKey {
  parent ??= mnemonicToAccount(CHAIN_MNEMONIC, { path: "m/44'/60'/0'/0" }).getHdKey();
  return parent;
}

/** Account `index` of the local chain's phrase (m/44'/60'/0'/0/index). */
export function demoAccount(index: number): DemoAccount {
  const key = parentKey().deriveChild(index).privateKey;
  if (!key) throw new Error(`account ${index} has no private key`);
  const privateKey = bytesToHex(key);
  return { address: privateKeyToAddress(privateKey), privateKey };
}

/** Who each account is. Accounts from `spare` up to the tenth are nobody's and belong to tests. */
export const ACCOUNT_INDEX = { deployer: 0, payer: 1, treasury: 2, spare: 3 } as const;
