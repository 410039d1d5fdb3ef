/**
 * Runs the chain of docker/compose.yaml, a node with HyperEVM's rules in front of anvil, and writes the services' files to
 * /run/maker: the seed, the API keys, the exchanges, the configuration of the site. The wallets use the chain's own public
 * phrase: so compose.yaml can contain the account's public key, and no reader takes the phrase for a secret.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startHyperevmNode } from '@maker/hyperevm-node';
import {
  ACCOUNT_INDEX,
  anvilArguments,
  CHAIN_ID,
  CHAIN_MNEMONIC,
  chainTestClient,
  demoAccount,
  deployDemoContracts,
  exchangeRegistry,
  findAnvil,
} from '@maker/local-stack';

const FOLDER = '/run/maker';
const PORT = 8545;
/** Port of the anvil that executes: only the node connects to it. */
const EXECUTION_PORT = 8546;
/** Not published by compose.yaml: its clients control blocks and time. */
const CONTROL_PORT = 8547;
const EXECUTION_URL = `http://127.0.0.1:${EXECUTION_PORT}`;
const READY = join(FOLDER, 'ready');
const RETRY_MS = 200;
const API_KEY = 'maker_public_compose';
/** Signs the agreements of jobs; compose.yaml has its address. */
const AGREEMENT_KEY = `0x${'a7'.repeat(32)}`;

async function place(name: string, content: string, mode = 0o444): Promise<void> {
  const path = join(FOLDER, name);
  await rm(path, { force: true });
  await writeFile(path, content);
  await chmod(path, mode);
}

const sha256 = createHash('sha256').update(API_KEY).digest('hex');
await rm(READY, { force: true });
const anvil = spawn(await findAnvil(), anvilArguments({ host: '127.0.0.1', port: EXECUTION_PORT }), {
  stdio: 'inherit',
});
anvil.once('exit', (code) => process.exit(code ?? 1));
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => anvil.kill(signal));

const client = chainTestClient(EXECUTION_URL);
const answers = () =>
  client.request({ method: 'eth_chainId' } as never).then(
    () => true,
    () => false,
  );
while (!(await answers())) await wait(RETRY_MS);

const deployment = await deployDemoContracts(client);
await startHyperevmNode({ executionUrl: EXECUTION_URL, host: '0.0.0.0', port: PORT, controlPort: CONTROL_PORT });
await place('seed', CHAIN_MNEMONIC, 0o400);
await place('agreement-key', AGREEMENT_KEY, 0o400);
await place('exchanges.json', JSON.stringify(exchangeRegistry(deployment.contracts)));
await place('api-keys.json', JSON.stringify([{ name: 'web', sha256, scopes: ['public'] }]));
await place('api-key', API_KEY);
await place(
  'config.json',
  JSON.stringify({
    apiBaseUrl: 'http://localhost:8081',
    botWalletAddress: demoAccount(ACCOUNT_INDEX.treasury).address,
    chainId: CHAIN_ID,
    explorerUrl: '',
  }),
);
await place('ready', '');
process.stdout.write(`demo tokens: ${JSON.stringify(deployment.tokens)}\n`);
process.stdout.write(`payer: ${demoAccount(ACCOUNT_INDEX.payer).address}\n`);
