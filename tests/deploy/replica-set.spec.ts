import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findMongod, freePort } from '@maker/local-stack';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { EVERYTHING, render } from './chart.ts';

const run = promisify(execFile);

let folder: string;
/** The container `replica-set` of the job's pod. */
let container: { readonly command: readonly string[] };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'maker-replica-set-'));
  // Builds the content of job's image without a container; the container's command runs there.
  const tree = [join('docker', 'production-tree.mjs'), 'apps/job', join(folder, 'image')];
  await run(process.execPath, tree, { cwd: WORKSPACE_ROOT });
  const job = (await render(EVERYTHING)).find(
    ({ kind, metadata }) => kind === 'Deployment' && /-job$/.test(metadata.name),
  );
  container = job?.spec.template.spec.initContainers.find(({ name }: { name: string }) => name === 'replica-set');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs `use` with the evaluation's server, started as in the chart, under its own name. */
async function withServer<Result>(use: (member: string) => Promise<Result>): Promise<Result> {
  const port = await freePort();
  await mkdir(join(folder, 'data'), { recursive: true });
  const args = [
    '--replSet=rs0',
    `--port=${port}`,
    `--dbpath=${join(folder, 'data')}`,
    '--nounixsocket',
    '--wiredTigerCacheSizeGB=0.25',
  ];
  const server = spawn(await findMongod(), args, { stdio: 'ignore' });
  try {
    return await use(`127.0.0.1:${port}`);
  } finally {
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    await ended;
  }
}

/** Runs {@link container}. @returns its output */
async function initiate(member: string): Promise<string> {
  const [, ...args] = container.command;
  const cwd = join(folder, 'image', 'apps', 'job');
  return (await run(process.execPath, args, { cwd, env: { MEMBER: member } })).stdout;
}

const withMember = async <Result>(member: string, use: (client: MongoClient) => Promise<Result>): Promise<Result> => {
  const client = await MongoClient.connect(`mongodb://${member}/?directConnection=true`);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
};

const isPrimary = (member: string) =>
  withMember(member, async (client) => (await client.db('admin').command({ hello: 1 })).isWritablePrimary === true);

const KEPT = { _id: 'a job' as never };

it('keeps its data under a new name', async () => {
  await withServer(async (member) => {
    expect(await initiate(member)).toContain('replica set initiated');
    await until('a primary', () => isPrimary(member), Boolean);
    await withMember(member, (client) => client.db('job').collection('jobs').insertOne(KEPT));
    expect(await initiate(member)).toContain('replica set exists');
  });
  await withServer(async (member) => {
    // A server that is not in its set's configuration accepts connections, but is no primary.
    await until('the server', () => isPrimary(member).then(() => true), Boolean);
    expect(await isPrimary(member)).toBe(false);
    expect(await initiate(member)).toContain(`to ${member}`);
    await until('a primary', () => isPrimary(member), Boolean);
    expect(await withMember(member, (client) => client.db('job').collection('jobs').findOne(KEPT))).toEqual(KEPT);
  });
});
