import { formatHype, parseHype } from '@maker/rules';
import { createWalletClient, getAddress, http, isAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { localNetwork } from '../chain/network.ts';
import { UsageError } from '../errors.ts';
import { readStack } from '../stack/read-stack.ts';
import { runCommand } from './command.ts';

const USAGE = 'usage: npm run pay -- <address> <hype>, such as: npm run pay -- 0x1234…abcd 0.5';

function parseAmount(text: string): bigint {
  let wei: bigint;
  try {
    wei = parseHype(text);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  if (wei === 0n) throw new UsageError('the amount is 0 HYPE: nothing to pay');
  return wei;
}

await runCommand(async ({ args }) => {
  const [to, hype, ...rest] = args;
  if (!to || !hype || rest.length > 0) throw new UsageError(USAGE);
  if (!isAddress(to)) throw new UsageError(`'${to}' is not an address (or its checksum is wrong); ${USAGE}`);
  const value = parseAmount(hype);
  const { rpcUrl, payer } = await readStack();
  const wallet = createWalletClient({
    account: privateKeyToAccount(payer.privateKey),
    chain: localNetwork(rpcUrl),
    transport: http(),
  });
  const hash = await wallet.sendTransaction({ to: getAddress(to), value });
  console.log(`${formatHype(value)} HYPE sent to ${getAddress(to)}`);
  console.log(hash);
  return 0;
});
