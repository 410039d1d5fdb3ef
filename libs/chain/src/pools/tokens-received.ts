import { type Address, isAddressEqual, type Log } from 'viem';
import { erc20Abi } from '../abi/erc20.ts';
import { eventReader } from '../decode.ts';

const transfersIn = eventReader(erc20Abi);

/**
 * Tokens that an address received in a transaction: the token's Transfer events to it, minus those from it.
 * @param receipt only its logs are read @returns in the token's smallest unit; 0 for a failed transaction, which has no logs
 */
export function tokensReceived(receipt: { readonly logs: readonly Log[] }, token: Address, recipient: Address): bigint {
  const logs = receipt.logs.filter((log) => isAddressEqual(log.address, token));
  return transfersIn(logs).reduce((sum, { args }) => {
    const received = isAddressEqual(args.to, recipient) ? args.value : 0n;
    const sent = isAddressEqual(args.from, recipient) ? args.value : 0n;
    return sum + received - sent;
  }, 0n);
}
