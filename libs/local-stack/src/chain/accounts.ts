import { type Address, bytesToHex, type Hex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';

/** Public knowledge, worth nothing outside a local chain. Not the well-known phrase, whose accounts others use too. */
export const CHAIN_MNEMONIC = 'scorpion describe cost conduct model appear online near spin fire betray pig';

/** An account of the local chain. */
export interface DemoAccount {
  address: Address;
  privateKey: Hex;
}

/** Account `index` of the local chain's phrase (m/44'/60'/0'/0/index). */
export function demoAccount(index: number): DemoAccount {
  const account = mnemonicToAccount(CHAIN_MNEMONIC, { addressIndex: index });
  const { privateKey } = account.getHdKey();
  if (!privateKey) throw new Error(`account ${index} has no private key`);
  return { address: account.address, privateKey: bytesToHex(privateKey) };
}

/** Who each account is. Accounts from `spare` up to the tenth are nobody's and belong to tests. */
export const ACCOUNT_INDEX = { deployer: 0, payer: 1, treasury: 2, spare: 3 } as const;
