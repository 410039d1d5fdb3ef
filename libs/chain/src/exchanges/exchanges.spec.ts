import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NETWORKS } from '../networks.ts';
import { EXCHANGES, exchangesFileSchema } from './exchanges.ts';
import { loadExchanges } from './load-exchanges.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'exchanges-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(content: unknown): string {
  const path = join(folder, 'exchanges.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const entry = {
  id: 'uniswap-v2',
  kind: 'uniswap-v2',
  factory: '0x724412c00059bf7d6ee7d4a1d0d5cd4de3ea1c48',
  router: '0xb4a9c4e6ea8e2191d2fa5b380452a634fb21240a',
  wrappedNative: '0x5555555555555555555555555555555555555555',
};

describe('exchanges', () => {
  it('are built in, in the file’s shape', () => {
    for (const [chainId, exchanges] of Object.entries(EXCHANGES)) {
      expect(NETWORKS.map((network) => network.chainId)).toContain(Number(chainId));
      expect(exchangesFileSchema.parse(exchanges)).toEqual(exchanges);
    }
  });

  it('are those of hyperevm § 2 on both networks', () => {
    expect(EXCHANGES[999]?.map(({ id, kind }) => [id, kind])).toEqual([
      ['hyperswap-v2', 'camelot-v2'],
      ['hyperswap-v3', 'uniswap-v3'],
      ['projectx-v3', 'uniswap-v3'],
      ['hybra-v3', 'uniswap-v3'],
      ['laminar-v3', 'uniswap-v3'],
      ['kittenswap', 'algebra-integral'],
    ]);
    expect(EXCHANGES[998]?.find(({ id }) => id === 'hyperswap-v2')?.kind).toBe('camelot-v2');
  });

  it('come from a given file on any network', () => {
    expect(loadExchanges(999, file([entry]))).toMatchObject([{ id: 'uniswap-v2' }]);
    expect(loadExchanges(31337, file([entry]))).toHaveLength(1);
  });

  it('require a file on an unknown network', () => {
    expect(() => loadExchanges(31337)).toThrow('CHAIN_EXCHANGES_FILE must name a file');
  });

  it.each([
    ['no JSON', '{', 'cannot be read'],
    ['an empty list', [], 'is wrong'],
    ['an address too short', [{ ...entry, router: '0x12' }], 'An address is 0x followed by 40'],
    ['a V3 entry without its quoter', [{ ...entry, kind: 'uniswap-v3' }], 'quoter'],
    ['an unknown kind', [{ ...entry, kind: 'curve' }], 'kind'],
    ['the same id twice', [entry, entry], 'ids must be unique'],
  ])('refuse a file with %s, and name it', (_, content, problem) => {
    const path = file(content);
    expect(() => loadExchanges(31337, path)).toThrow(problem);
    expect(() => loadExchanges(31337, path)).toThrow(path);
  });

  it('refuse a missing file', () => {
    expect(() => loadExchanges(31337, join(folder, 'none.json'))).toThrow('cannot be read');
  });
});
