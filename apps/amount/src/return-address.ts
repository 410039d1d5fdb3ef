import { isSystemAddress } from '@maker/rules';

const ADDRESS = /^0x[0-9a-f]{40}$/i;
const NOBODY = /^0x0{40}$/i;

/**
 * What is wrong with the optional return address, or undefined when it is empty or usable.
 * Source: design § 4 'Return address'. @param tokenAddress the job's token, whose contract must not be the receiver
 */
export function returnAddressProblem(typed: string, tokenAddress: string): string | undefined {
  const address = typed.trim();
  if (address === '') return undefined;
  if (!ADDRESS.test(address)) return 'A wallet address is 0x followed by 40 characters from 0-9 and a-f';
  if (NOBODY.test(address) || isSystemAddress(address))
    return 'Nobody holds the keys of this address: what is sent there is lost';
  if (address.toLowerCase() === tokenAddress.toLowerCase()) {
    return "This is the token's own contract: what is sent there is lost";
  }
  return undefined;
}
