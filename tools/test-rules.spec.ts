import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { expect, it } from 'vitest';
import { BIOME } from './tool.ts';

const TEN = 'one two three four five six seven eight nine ten';

const ACCEPTED = {
  'an assertion': "it('adds', () => expect(1 + 1).toBe(2));",
  'an assertion in a named function': "it('adds', async () => expectSum(1, 1, 2));",
  'ten words and a citation': `it('${TEN} (design § 4)', () => expect(1).toBe(1));`,
  'a wait of 50 ms': "it('waits', async () => expect(await wait(50)).toBe(1));",
  '400 lines': `${'\n'.repeat(398)}it('adds', () => expect(1 + 1).toBe(2));`,
};
const REFUSED = {
  'no assertion': "it('adds', () => undefined);",
  'no assertion, with options': "it('adds', { timeout: 5 }, () => undefined);",
  'no assertion for each case': "it.each([1])('adds %i', (one) => String(one));",
  'eleven words': `it('${TEN} eleven', () => expect(1).toBe(1));`,
  'eleven words of a group': `describe('${TEN} eleven', () => undefined);`,
  'eleven words of cases': `it.each([1])('${TEN} eleven', (one) => expect(one).toBe(1));`,
  'a wait of 51 ms': "it('waits', async () => expect(await wait(51)).toBe(1));",
  'a timer of seconds': "it('waits', () => expect(setTimeout(go, 2_000)).toBe(1));",
  'a wait in a page': "it('waits', async ({ page }) => expect(await page.waitForTimeout(9)).toBe(1));",
  '402 lines': `${'\n'.repeat(401)}it('adds', () => expect(1 + 1).toBe(2));`,
  'one title twice': "it('adds', () => expect(1).toBe(1));\nit('adds', () => expect(2).toBe(2));",
  'a skipped test': "it.skip('adds', () => expect(1).toBe(1));",
};

/** Names of the texts that the workspace's linter refuses as a file with tests. */
function refused(texts: Readonly<Record<string, string>>, ending: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'maker-test-rules-'));
  try {
    const { plugins, overrides } = JSON.parse(readFileSync(join(WORKSPACE_ROOT, 'biome.json'), 'utf8'));
    const absolute = plugins.map((plugin: { path: string }) => ({
      ...plugin,
      path: join(WORKSPACE_ROOT, plugin.path),
    }));
    writeFileSync(join(folder, 'biome.json'), JSON.stringify({ plugins: absolute, overrides }));
    const files = Object.entries(texts).map(([name, text], at) => ({ name, text, path: `case-${at}/src/a${ending}` }));
    for (const { path, text } of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), `${text}\n`);
    }
    const { stdout } = spawnSync(BIOME, ['lint', '--reporter=github', '--max-diagnostics=200'], { cwd: folder });
    return files.filter(({ path }) => String(stdout).includes(path)).map(({ name }) => name);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

it.each(['.spec.ts', '.spec.tsx', '.e2e.ts', '.prometheus.ts'])(
  'the linter refuses bad tests in files %s',
  (ending) => {
    expect(refused({ ...ACCEPTED, ...REFUSED }, ending)).toEqual(Object.keys(REFUSED));
  },
);
