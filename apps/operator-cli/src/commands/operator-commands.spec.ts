import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OperatorApi, OperatorApiError } from './operator-api.ts';
import { operatorCommand } from './operator-commands.ts';

const JOB = `job_${'a'.repeat(32)}`;
const KEY = 'the-operators-key';

interface Asked {
  readonly line: string;
  readonly key: string | string[] | undefined;
  readonly body: string;
}

let server: Server;
let api: OperatorApi;
let asked: Asked[];
let answer: { readonly status: number; readonly body: string };

beforeEach(async () => {
  asked = [];
  answer = { status: 200, body: '{}' };
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push({ line: `${request.method} ${request.url}`, key: request.headers['x-api-key'], body });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  api = new OperatorApi(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, KEY);
});

afterEach(() => new Promise((resolve) => server.close(resolve)));

async function run(...args: string[]): Promise<string> {
  let output = '';
  for await (const text of operatorCommand(api, args)) output += text;
  return output;
}

describe('npm run ops', () => {
  const why = ['--reason', 'the customer asked'];
  const reason = '{"reason":"the customer asked"}';

  it.each([
    [['cancel', JOB, ...why], `POST /operator/jobs/${JOB}/cancel`, reason],
    [['return', JOB, ...why], `POST /operator/jobs/${JOB}/return`, reason],
    [
      ['release', JOB, '0x1', ...why],
      `POST /operator/jobs/${JOB}/release`,
      '{"to":"0x1","reason":"the customer asked"}',
    ],
    [['hypercore', 'look', JOB, ...why], `POST /operator/jobs/${JOB}/hypercore/look`, reason],
    [['hypercore', 'return', JOB, ...why], `POST /operator/jobs/${JOB}/hypercore/return`, reason],
    [
      ['hypercore', 'return', JOB, '0x1', ...why],
      `POST /operator/jobs/${JOB}/hypercore/return`,
      '{"to":"0x1","reason":"the customer asked"}',
    ],
    [['pause', JOB, ...why], `POST /operator/jobs/${JOB}/pause`, reason],
    [['pause', 'all', ...why], 'POST /operator/pause', reason],
    [['resume', 'all', ...why], 'POST /operator/resume', reason],
    [['rebroadcast', JOB, ...why], `POST /operator/jobs/${JOB}/rebroadcast`, reason],
  ])('commands by %j', async (args, line, body) => {
    answer = { status: 200, body: '{"actionId":"1","outcome":"it is done"}' };
    expect(await run(...args)).toBe('it is done\nwritten down as 1\n');
    expect(asked).toEqual([{ line, key: KEY, body }]);
  });

  it.each([
    [['list', '--status', 'active'], 'GET /operator/jobs?status=active', '{"jobs":[]}', ''],
    [['log', '--limit', '3'], 'GET /operator/actions?limit=3', '{"actions":[]}', ''],
    [['list', ...why], 'GET /operator/jobs?reason=the+customer+asked', '{"jobs":[]}', ''],
    [['export', ...why], 'GET /operator/jobs.csv?reason=the+customer+asked', 'a,b\r\n', 'a,b\r\n'],
    [['export', JOB, ...why], `GET /operator/jobs/${JOB}/ledger.csv?reason=the+customer+asked`, 'a\r\n', 'a\r\n'],
  ])('looks up by %j', async (args, line, body, output) => {
    answer = { status: 200, body };
    expect(await run(...args)).toBe(output);
    expect(asked.map((one) => one.line)).toEqual([line]);
  });

  it.each([
    [[], /usage/],
    [['launch'], /no command 'launch'/],
    [['constructor'], /no command 'constructor'/],
    [['pause', JOB], /--reason/],
    [['export'], /--reason/],
    [['show', JOB, '--reason', ' '], /--reason/],
    [['pause', JOB, '--reason', ' '], /--reason/],
    [['release', JOB, ...why], /usage/],
    [['hypercore', JOB, ...why], /usage/],
    [['hypercore', 'look', JOB, '0x1', ...why], /usage/],
    [['list', '--colour', 'red'], /colour/],
  ])('asks nothing where %j makes no sense', async (args, message) => {
    await expect(run(...args)).rejects.toThrow(message);
    expect(asked).toEqual([]);
  });

  it('passes on what the API refuses, and never the key', async () => {
    const body = {
      message: 'Nothing is held for this job',
      error: 'Conflict',
      statusCode: 409,
      code: 'NOT_POSSIBLE_NOW',
    };
    answer = { status: 409, body: JSON.stringify(body) };
    const failure = run('return', JOB, ...why);
    await expect(failure).rejects.toThrow(OperatorApiError);
    await expect(failure).rejects.toThrow('Nothing is held for this job (409, NOT_POSSIBLE_NOW)');
    await expect(failure).rejects.not.toThrow(KEY);
  });

  it('lets no argument reach another path', async () => {
    answer = { status: 404, body: '{}' };
    await expect(run('show', '../../jobs/create')).rejects.toThrow(OperatorApiError);
    expect(asked[0]?.line).toBe('GET /operator/jobs/..%2F..%2Fjobs%2Fcreate');
  });
});

it('takes API and key from the environment, both together', async () => {
  await expect(OperatorApi.ofEnvironment({})).rejects.toThrow(/no API is named.*npm start/);
  await expect(OperatorApi.ofEnvironment({ OPS_API_URL: 'http://x' })).rejects.toThrow(/both or none/);
  const missing = OperatorApi.ofEnvironment({ OPS_API_URL: 'http://x', OPS_API_KEY_FILE: '/nowhere/key' });
  await expect(missing).rejects.toThrow(/ENOENT/);
});
