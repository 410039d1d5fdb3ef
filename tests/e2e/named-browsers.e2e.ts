import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { findYoungUses } from '../../tools/browser-support/find-young-uses.ts';
import { youngerApis } from '../../tools/browser-support/younger-apis.ts';
import { expect, test } from './fixtures.ts';

const apis = youngerApis();

test('built files use nothing younger than the named browsers', () => {
  const scripts = globSync('apps/{shell,token,amount,payment,terms,verify-page}/dist/web/**/*.js', {
    cwd: WORKSPACE_ROOT,
  });
  expect(scripts.length).toBeGreaterThan(10);
  const uses = scripts.flatMap((script) =>
    findYoungUses(readFileSync(join(WORKSPACE_ROOT, script), 'utf8'), apis).map((use) => `${use} in ${script}`),
  );
  expect(uses).toEqual([]);
});

test('a job is made and followed without younger APIs', async ({ page, wizard }) => {
  await page.addInitScript(({ globals, statics, members }) => {
    const remove = (owner: unknown, name: string) => {
      // Some belong to the browser's own objects for good.
      if (owner !== undefined && owner !== null) Reflect.deleteProperty(owner as object, name);
    };
    for (const member of members) {
      const [owner = '', name = ''] = member.split('.');
      remove(Reflect.get(globalThis, owner)?.prototype, name);
    }
    for (const member of statics) {
      const [owner = '', name = ''] = member.split('.');
      remove(Reflect.get(globalThis, owner), name);
    }
    for (const name of globals) remove(globalThis, name);
  }, apis);
  await wizard.toPayment('0.5');
  expect(
    await page.evaluate(() => ['any' in AbortSignal, 'withResolvers' in Promise, 'scheduler' in globalThis]),
  ).toEqual([false, false, false]);
  await expect(wizard.pill).toHaveText('Waiting for confirmation');
  await expect(wizard.redBox).toHaveCount(0);
});
