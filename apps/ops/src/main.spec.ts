import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

/** An endpoint that accepts connections and never answers. */
let silent: Server;

beforeEach(async () => {
  silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
});

afterEach(() => {
  silent.close();
});

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('stops at %s, also as first process', async (signal, code) => {
  const address = silent.address();
  const rpc = `http://127.0.0.1:${typeof address === 'object' && address?.port}`;
  const args = ['recover', 'survey', '--chain-id', '998', '--rpc', rpc, '--xpub', 'any', '--out', 'never-written'];
  const command = spawn(process.execPath, ['--conditions=@maker/source', MAIN, ...args], { stdio: 'ignore' });
  const ended = once(command, 'exit');
  const [connection] = await once(silent, 'connection');
  command.kill(signal);
  expect(await ended).toEqual([code, null]);
  connection.destroy();
});
