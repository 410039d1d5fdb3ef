import { localNetwork } from '@maker/local-stack';
import { parseHype } from '@maker/rules';
import { type Address, createWalletClient, type Hex, http, pad } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { ProductClient } from './product-client.ts';

/**
 * A contract that forwards its value to the address in its calldata:
 * `CALL(gas, calldata[0], callvalue, 0, 0, 0, 0)`, behind the nine bytes that deploy it.
 */
const FORWARDER = '0x600f8060093d393df36000600060006000346000355af100' satisfies Hex;

/**
 * Pays an address from inside a contract, as an exchange or a smart account does.
 * @param payer another account than the client's own, if that one sends other payments meanwhile
 */
export async function payThroughContract(
  { stack, chain }: ProductClient,
  to: string,
  hype: string,
  payer: { readonly privateKey: Hex } = stack.payer,
): Promise<void> {
  const wallet = createWalletClient({
    account: privateKeyToAccount(payer.privateKey),
    transport: http(stack.rpcUrl),
    chain: localNetwork(stack.rpcUrl),
  });
  const deployment = await wallet.deployContract({ abi: [], bytecode: FORWARDER });
  const { contractAddress } = await chain.waitForTransactionReceipt({ hash: deployment });
  if (!contractAddress) throw new Error('the forwarder was not deployed');
  const data = pad(to as Address, { size: 32 });
  const hash = await wallet.sendTransaction({ to: contractAddress, value: parseHype(hype), data });
  await chain.waitForTransactionReceipt({ hash });
}
