import { type Address, bytesToHex, type Hex } from 'viem';
import { type HDKey, mnemonicToAccount, privateKeyToAddress } from 'viem/accounts';

/** Public and worthless outside a local chain. Not Hardhat's and anvil's default phrase, whose accounts other programs use too. */
export const CHAIN_MNEMONIC = 'scorpion describe cost conduct model appear online near spin fire betray pig';

/** An account of the local chain. */
export interface DemoAccount {
  address: Address;
  privateKey: Hex;
}

let parent: HDKey | undefined;

/** The parent key of all accounts, derived once: the phrase alone takes 2,048 rounds of a hash. */
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

/** Roles of the accounts. Accounts from `spare` up to the tenth have no role: tests use them. */
export const ACCOUNT_INDEX = { deployer: 0, payer: 1, treasury: 2, spare: 3 } as const;
