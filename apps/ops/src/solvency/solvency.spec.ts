import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { OperatorApi } from '../commands/operator-api.ts';
import { InsolventError, solvency } from './solvency.ts';

const JOB = `job_${'a'.repeat(32)}`;

let server: Server;
let api: OperatorApi;
let answers: Record<string, { readonly status: number; readonly body: string }>;

beforeEach(async () => {
  answers = {
    '/operator/jobs?status=active&limit=500': { status: 200, body: JSON.stringify({ jobs: [{ jobId: JOB }] }) },
  };
  server = createServer((request, response) => {
    const { status, body } = answers[request.url ?? ''] ?? { status: 404, body: '{}' };
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  api = new OperatorApi(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'key');
});

afterEach(() => new Promise((resolve) => server.close(resolve)));

async function run(): Promise<{ readonly output: string; readonly failure?: unknown }> {
  let output = '';
  try {
    for await (const { text } of solvency(api, 'http://127.0.0.1:9')) output += `${text}\n`;
    return { output };
  } catch (failure) {
    return { output, failure };
  }
}

it('names the job of an invalid receipt', async () => {
  answers[`/jobs/${JOB}/receipt.json`] = { status: 200, body: '{"receipt":{}}' };
  const { output, failure } = await run();
  expect(output).toContain(`✗ ${JOB} This is no receipt of a job`);
  expect(output).toContain('1 open jobs; 0 HYPE are owed and held');
  expect(failure).toBeInstanceOf(InsolventError);
});

it('counts a job without receipt as unproven', async () => {
  answers[`/jobs/${JOB}/receipt.json`] = { status: 409, body: '{}' };
  const { output, failure } = await run();
  expect(output).toContain(`✗ ${JOB} has no receipt yet`);
  expect(failure).toBeInstanceOf(InsolventError);
});

it('reports zero without open jobs', async () => {
  answers['/operator/jobs?status=active&limit=500'] = { status: 200, body: '{"jobs":[]}' };
  expect(await run()).toEqual({ output: '0 open jobs; 0 HYPE are owed and held\n' });
});

it('pages through all open jobs', async () => {
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
  const jobAt = (second: number) => ({ jobId: `job_${second.toString(16).padStart(32, '0')}`, createdAt: at(second) });
  const newest = Array.from({ length: 500 }, (_, number) => jobAt(1000 - number));
  const oldest = newest.at(-1);
  const twin = { jobId: JOB, createdAt: oldest?.createdAt };
  const page = (jobs: object[]) => ({ status: 200, body: JSON.stringify({ jobs }) });
  answers['/operator/jobs?status=active&limit=500'] = page(newest);
  const justAfter = new Date(Date.parse(oldest?.createdAt ?? '') + 1).toISOString();
  answers[`/operator/jobs?status=active&limit=500&before=${encodeURIComponent(justAfter)}`] = page([
    oldest ?? {},
    twin,
  ]);
  for (const { jobId } of newest) answers[`/jobs/${jobId}/receipt.json`] = { status: 409, body: '{}' };
  answers[`/jobs/${JOB}/receipt.json`] = { status: 200, body: '{"receipt":{}}' };
  const { output, failure } = await run();
  expect(output).toContain(`✗ ${JOB} This is no receipt of a job`);
  expect(output.match(/✗/g)).toHaveLength(501);
  expect(output).toContain('501 open jobs; 0 HYPE are owed and held');
  expect(failure).toMatchObject({ message: '501 of the open jobs could not be proven' });
});
