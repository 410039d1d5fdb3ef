import { formatHype, parseHype } from '@maker/rules';
import { createWalletClient, defineChain, getAddress, http, isAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
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
  if (wei === 0n) throw new UsageError('the amount is 0 HYPE: there is nothing to pay');
  return wei;
}

await runCommand(async ({ args }) => {
  const [to, hype, ...rest] = args;
  if (!to || !hype || rest.length > 0) throw new UsageError(USAGE);
  if (!isAddress(to)) throw new UsageError(`'${to}' is not an address (or its checksum is wrong); ${USAGE}`);
  const value = parseAmount(hype);
  const { rpcUrl, chainId, payer } = await readStack();
  const chain = defineChain({
    id: chainId,
    name: 'Local HyperEVM',
    nativeCurrency: { name: 'HYPE', symbol: 'HYPE', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
  const wallet = createWalletClient({ account: privateKeyToAccount(payer.privateKey), chain, transport: http() });
  const hash = await wallet.sendTransaction({ to: getAddress(to), value });
  console.log(`${formatHype(value)} HYPE sent to ${getAddress(to)}`);
  console.log(hash);
  return 0;
});
