import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const PRODUCT = [
  'apps/*/src/**/*.{ts,tsx}',
  'libs/{chain,contracts,messaging,persistence,receipt,rules,service-kit,signing,ui,web-kit}/src/**/*.{ts,tsx}',
];

/** Words by which code could distinguish the local chain, its node or its tools from the real ones. */
const LOCAL = /31_?337|0x7a69|anvil|hardhat|\bevm_[a-z]|hyperevm-node|local-stack/i;

/** Files that may name the local chain: it is one of the networks there. */
const MAY_NAME_IT = ['libs/chain/src/networks.ts', 'libs/web-kit/src/configuration/chain-name.ts'];

it('product code knows no local chain', () => {
  const files = globSync(PRODUCT, { cwd: ROOT }).filter((file) => !/\.(spec|fixture|e2e)\.tsx?$/.test(file));
  expect(files.length).toBeGreaterThan(500);
  const knowing = files.filter((file) => LOCAL.test(readFileSync(join(ROOT, file), 'utf8')));
  expect(knowing.sort()).toEqual(MAY_NAME_IT);
});
