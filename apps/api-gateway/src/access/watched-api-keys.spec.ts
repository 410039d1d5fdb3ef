import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError, createLogger, MetricsRegistry } from '@maker/service-kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GatewayMetrics } from '../gateway.metrics.ts';
import { WatchedApiKeys } from './watched-api-keys.ts';

const entry = (name: string, key: string) => ({
  name,
  sha256: createHash('sha256').update(key).digest('hex'),
  scopes: ['public'],
});

let folder: string;
let path: string;
let lines: string[];
let registry: MetricsRegistry;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'watched-keys-'));
  path = join(folder, 'api-keys.json');
  lines = [];
  registry = new MetricsRegistry();
  writeFileSync(path, JSON.stringify([entry('web', 'old')]));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function watch(pauseMs?: number): WatchedApiKeys {
  const logger = createLogger('api-gateway', 'info', { write: (line) => lines.push(line) });
  return new WatchedApiKeys(path, new GatewayMetrics(registry), logger, pauseMs);
}

const refused = async () => /^maker_api_key_file_refused (\d)$/m.exec(await registry.metrics())?.[1];

describe('API keys of a file that changes in place', () => {
  it('rotates keys without a restart', () => {
    const watched = watch();
    writeFileSync(path, JSON.stringify([entry('web', 'old'), entry('web', 'new')]));
    watched.reload();
    for (const key of ['old', 'new']) expect(watched.keys.ownerOf(key)?.name).toBe('web');
    writeFileSync(path, JSON.stringify([entry('web', 'new')]));
    watched.reload();
    expect(watched.keys.ownerOf('old')).toBeUndefined();
    expect(watched.keys.ownerOf('new')?.name).toBe('web');
    expect(lines.filter((line) => line.includes('API keys changed'))).toHaveLength(2);
  });

  it('keeps the keys and logs once when the file breaks', async () => {
    const watched = watch();
    expect(await refused()).toBe('0');
    writeFileSync(path, '[{"name":"s3cret"');
    for (let reads = 0; reads < 3; reads++) watched.reload();
    expect(watched.keys.ownerOf('old')?.name).toBe('web');
    expect(await refused()).toBe('1');
    expect(lines.filter((line) => line.includes('API key file rejected'))).toHaveLength(1);
    rmSync(path);
    watched.reload();
    expect(watched.keys.ownerOf('old')?.name).toBe('web');
    expect(lines.filter((line) => line.includes('API key file rejected'))).toHaveLength(2);
    expect(lines.join('')).not.toContain('s3cret');
    writeFileSync(path, JSON.stringify([entry('web', 'new')]));
    watched.reload();
    expect(watched.keys.ownerOf('old')).toBeUndefined();
    expect(await refused()).toBe('0');
  });

  it('rereads keys behind the links of a mounted Secret', async () => {
    const secret = (version: string, key: string) => {
      mkdirSync(join(folder, version));
      writeFileSync(join(folder, version, 'api-keys.json'), JSON.stringify([entry('web', key)]));
    };
    secret('..1', 'first');
    secret('..2', 'second');
    rmSync(path);
    symlinkSync('..1', join(folder, '..data'));
    symlinkSync(join('..data', 'api-keys.json'), path);
    const watched = watch(5);
    watched.onApplicationBootstrap();
    try {
      expect(watched.keys.ownerOf('first')?.name).toBe('web');
      // The kubelet makes the new link beside the old one and renames it.
      symlinkSync('..2', join(folder, '..data_tmp'));
      renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
      await expect.poll(() => watched.keys.ownerOf('second')?.name).toBe('web');
      expect(watched.keys.ownerOf('first')).toBeUndefined();
    } finally {
      await watched.beforeApplicationShutdown();
    }
  });

  it('must be usable at the start', () => {
    writeFileSync(path, '{}');
    expect(() => watch()).toThrow(ConfigurationError);
    registry = new MetricsRegistry();
    rmSync(path);
    expect(() => watch()).toThrow('API_KEYS_FILE cannot be read');
  });
});
