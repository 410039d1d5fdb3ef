import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientConfigurationSchema } from '@maker/contracts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NotBuiltError } from '../errors.ts';
import { REMOTES } from './description.ts';
import { layOutSite } from './site-files.ts';

const configuration = clientConfigurationSchema.parse({
  apiBaseUrl: 'http://127.0.0.1:4201',
  apiKey: 'key',
  botWalletAddress: '0x0',
});

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'maker-site-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

it('lays builds out as images do', async () => {
  for (const app of ['shell', ...REMOTES, 'verify-page']) {
    await mkdir(join(folder, app, 'dist', 'web'), { recursive: true });
  }
  const site = await layOutSite(join(folder, 'site'), configuration, folder);
  await writeFile(join(folder, 'shell', 'dist', 'web', 'index.html'), 'shell');
  await writeFile(join(folder, 'token', 'dist', 'web', 'entry.js'), 'token');
  expect(await readFile(join(site.directory, 'shell', 'index.html'), 'utf8')).toBe('shell');
  expect(await readFile(join(site.directory, 'remotes', 'token', 'entry.js'), 'utf8')).toBe('token');
  expect(JSON.parse(await readFile(site.configurationFile, 'utf8'))).toEqual(configuration);
});

it('names an app without a build', async () => {
  await expect(layOutSite(join(folder, 'site'), configuration, folder)).rejects.toBeInstanceOf(NotBuiltError);
});
