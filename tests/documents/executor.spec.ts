import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PHASE_TRANSITIONS } from '@maker/execution-records';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const page = (name: string) => readFileSync(join(ROOT, 'docs', name), 'utf8');

/** A section of a page, from its heading to the next heading of any level. */
function section(text: string, heading: string): string {
  const [, after = ''] = text.split(`${heading}\n`);
  return after.split(/^#{2,3} /m)[0] ?? '';
}

it('design.md lists every change of phase', () => {
  const rows = section(page('design.md'), '### Phases of an execution').matchAll(
    /^\| `(\w+)` +\| `(\w+)` +\| (.+?) +\|$/gm,
  );
  const listed = [...rows].map(([, from, to, when]) => ({ from, to, when }));
  expect(listed).toEqual(PHASE_TRANSITIONS);
});

it('architecture.md names files of a tick that exist', () => {
  const names = [...section(page('architecture.md'), '## A tick of the executor').matchAll(/[\w-]+\/[\w.-]+\.ts/g)];
  expect(names.length).toBeGreaterThan(10);
  const missing = names.filter(([name]) => !existsSync(join(ROOT, 'apps/maker-executor/src', name)));
  expect(missing).toEqual([]);
});
