import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { inColumns } from './output.ts';
import { opsProgram } from './program.ts';
import { runOps } from './run-ops.fixture.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
const PATH = process.env.PATH;

/** Runs the program in its own process, without a stack. */
async function ops(...args: string[]) {
  const run = promisify(execFile)(process.execPath, ['--conditions=@maker/source', MAIN, ...args], { env: { PATH } });
  return run.then(
    ({ stdout, stderr }) => ({ status: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ status: code, stdout, stderr }),
  );
}

const program = opsProgram(
  { environment: {}, isTerminal: false, input: async () => '', write: async () => {}, report: () => {} },
  () => {},
);

const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];

describe('help', () => {
  it('fits into 120 columns, for every command', () => {
    const wide = all(program).flatMap((command) =>
      command
        .helpInformation()
        .split('\n')
        .filter((line) => line.length > 120),
    );
    expect(wide).toEqual([]);
  });

  it.each([[['--help']], [['help', 'verify']]])('needs no stack: %j', async (args) => {
    expect(await ops(...args)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Usage: ops'),
      stderr: '',
    });
  });

  it('loads only the command line', async () => {
    const hook = `import { registerHooks } from 'node:module';
      registerHooks({ load: (url, context, next) => (console.error(url), next(url, context)) });`;
    const { stderr } = await promisify(execFile)(process.execPath, [
      '--conditions=@maker/source',
      `--import=data:text/javascript,${encodeURIComponent(hook)}`,
      ...[MAIN, '--help'],
    ]);
    const loaded = stderr.split('\n').filter((url) => url.startsWith('file:'));
    expect(loaded.filter((url) => !/\/apps\/ops\/src\/[\w-]+\.ts$|\/node_modules\/commander\//.test(url))).toEqual([]);
    expect(loaded.length).toBeLessThan(20);
  });
});

it('prints its version', async () => {
  expect(await ops('--version')).toEqual({ status: 0, stdout: `${packageJson.version}\n`, stderr: '' });
});

it.each([
  [['lst'], "✗ unknown command 'lst' (Did you mean list?)\n"],
  [['simulate', '--token', '0x12', '--amount', '1', '--json'], expect.stringContaining('{"error":{"code":"USAGE"')],
])('refuses %j with a line and status 2', async (args, stderr) => {
  expect(await ops(...args)).toEqual({ status: 2, stdout: '', stderr });
});

it.each([
  [['webhooks', 'redelivr'], "unknown command 'redelivr'\n(Did you mean redeliver?)"],
  [['list', '--statu', 'active'], "unknown option '--statu'\n(Did you mean --status?)"],
  [['show'], "missing required argument 'job'"],
  [['verify', 'receipt.json'], "required option '--rpc <URL>' not specified"],
])('refuses %j', async (args, message) => {
  await expect(runOps(args)).rejects.toThrow(message);
});

it('fails with a line and status 1 without an answer', async () => {
  const token = `0x${'1'.repeat(40)}`;
  const simulated = await ops('simulate', '--token', token, '--amount', '1', '--rpc', 'http://127.0.0.1:9');
  expect(simulated).toEqual({ status: 1, stdout: '', stderr: '✗ 127.0.0.1:9 does not answer\n' });
});

it('wraps lines at 120 columns and keeps long words', () => {
  const wrapped = inColumns(`${'word '.repeat(60)}\nshort\n${'x'.repeat(200)} end`);
  expect(wrapped.split('\n').map(({ length }) => length)).toEqual([119, 118, 69, 5, 204]);
});
