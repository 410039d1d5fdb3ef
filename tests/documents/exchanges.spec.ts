import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXCHANGES } from '@maker/chain';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { expect, it } from 'vitest';

const page = readFileSync(join(WORKSPACE_ROOT, 'docs', 'hyperevm.md'), 'utf8');

/** Rows of the tables of exchanges: exchange, contract, address, source. */
const SOURCES = new Map(
  [...page.matchAll(/^\|[^|]*\|[^|]*\| `(0x[0-9a-fA-F]{40})` +\| ([^|]*[^| ]) +\|$/gm)].map(
    ([, address = '', source = '']) => [address, source],
  ),
);

it.each(Object.keys(EXCHANGES))('names a source for each address on %s', (chainId) => {
  const addresses = (EXCHANGES[Number(chainId)] ?? []).flatMap(({ wrappedNative, ...entry }) =>
    Object.values(entry).filter((value) => /^0x/.test(String(value))),
  );
  expect(addresses.length).toBeGreaterThan(4);
  expect(addresses.filter((address) => !SOURCES.get(String(address)))).toEqual([]);
});
