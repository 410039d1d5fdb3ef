import { formatHype, parseHype, parseRecipient } from '@maker/rules';
import { createWalletClient, getAddress, http } from 'viem';
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
  const recipient = parseRecipient(to);
  if (!recipient.ok) throw new UsageError(`'${to}': ${recipient.problem}; ${USAGE}`);
  const value = parseAmount(hype);
  const { rpcUrl, payer } = await readStack();
  const wallet = createWalletClient({
    account: privateKeyToAccount(payer.privateKey),
    chain: localNetwork(rpcUrl),
    transport: http(),
  });
  const hash = await wallet.sendTransaction({ to: recipient.address, value });
  console.log(`${formatHype(value)} HYPE sent to ${getAddress(recipient.address)}`);
  console.log(hash);
  return 0;
});
