import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort, HOST } from '../processes/ports.ts';
import { chooseWheel, downloadByHttp, type ReleaseFile } from './wheel.ts';

const file = (filename: string): ReleaseFile => ({ filename, url: filename, digests: { sha256: '' } });

describe('chooseWheel', () => {
  const files = [
    file('tool-1.tar.gz'),
    file('tool-1-py3-none-macosx_11_0_arm64.whl'),
    file('tool-1-py3-none-manylinux_2_17_aarch64.whl'),
    file('tool-1-py3-none-manylinux_2_28_x86_64.musllinux_1_2_x86_64.whl'),
  ];

  it.each([
    ['linux', 'x64', 'manylinux_2_28_x86_64'],
    ['linux', 'arm64', 'manylinux_2_17_aarch64'],
    ['darwin', 'arm64', 'macosx_11_0_arm64'],
  ] as const)('takes for %s %s the wheel tagged %s', (platform, architecture, tag) => {
    expect(chooseWheel(files, platform, architecture)?.filename).toContain(tag);
  });

  it('returns undefined for an unsupported platform', () => {
    expect(chooseWheel(files, 'darwin', 'x64')).toBeUndefined();
    expect(chooseWheel(files, 'win32', 'x64')).toBeUndefined();
  });
});

describe('downloadByHttp', () => {
  const content = Buffer.from('a wheel');
  const platform = process.platform === 'darwin' ? 'macosx_11_0' : 'manylinux_2_17';
  const processor = process.arch === 'arm64' ? (process.platform === 'darwin' ? 'arm64' : 'aarch64') : 'x86_64';
  let server: Server;
  let directory: string;
  let index: string;
  let sha256: string;

  beforeEach(async () => {
    sha256 = createHash('sha256').update(content).digest('hex');
    server = createServer((request, response) => {
      if (request.url !== '/pypi/tool/json') return response.end(content);
      const filename = `tool-1-py3-none-${platform}_${processor}.whl`;
      const files = [{ filename, url: '../../files/tool.whl', digests: { sha256 } }];
      return response.end(JSON.stringify({ releases: { '1': files, '2': [] } }));
    });
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, HOST, resolve));
    index = `http://${HOST}:${port}/pypi/`;
    directory = await mkdtemp(join(tmpdir(), 'maker-wheel-'));
  });

  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(directory, { recursive: true, force: true });
  });

  it('resolves a relative address and downloads', async () => {
    const path = await downloadByHttp({ name: 'tool', version: '1' }, directory, index);
    expect(await readFile(path)).toEqual(content);
  });

  it('rejects a file with another sha256', async () => {
    sha256 = '0'.repeat(64);
    await expect(downloadByHttp({ name: 'tool', version: '1' }, directory, index)).rejects.toThrow(/sha256/);
  });
});
