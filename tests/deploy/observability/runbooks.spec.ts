import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WORKSPACE } from './rule-files.ts';

const DIRECTORY = join(WORKSPACE, 'docs/runbooks');
const INDEX = readFileSync(join(DIRECTORY, 'README.md'), 'utf8');
const FRAME = ['The payer feels', 'Run first', 'Confirm', 'Stop harm', 'Decides'];
/** Its commands are for a recovery without a cluster. */
const WITHOUT_CLUSTER = 'recovery-drill.md';

const ROLES = [...INDEX.matchAll(/^\| ([a-z -]+?) +\| +[a-z]/gm)].map(([, role = '']) => role);
const runbooks = globSync('*.md', { cwd: DIRECTORY, exclude: ['README.md'] })
  .sort()
  .map((file) => ({ file, text: readFileSync(join(DIRECTORY, file), 'utf8') }));

describe.each(runbooks)('$file', ({ file, text }) => {
  const frame = [...text.matchAll(/^- \*\*([^*]+):\*\* (.+\S)$/gm)].slice(0, FRAME.length);

  it('opens with the five lines of the frame', () => {
    expect(frame.map(([, label]) => label)).toEqual(FRAME);
    expect(text.indexOf('- **The payer feels')).toBeLessThan(text.indexOf('## '));
  });

  it('names a role that decides', () => {
    const decides = frame.at(-1)?.[2] ?? '';
    expect(
      ROLES.some((role) => decides.includes(role)),
      decides,
    ).toBe(true);
    expect(text).not.toMatch(/escalate/i);
  });

  it('names the namespace of each command', () => {
    expect(text).not.toMatch(/kubectl (?!-n )[a-z]/);
    if (file !== WITHOUT_CLUSTER) expect(text).not.toContain('npm run ops');
  });

  it('gives a connection with each database command', () => {
    for (const [, code = ''] of text.matchAll(/`([^`\n]*\bdb\.\w+[^`\n]*\([^`\n]*)`/g))
      expect(code).toMatch(/^mongosh "\$MONGODB" --eval '/);
  });

  it('is found by its symptom', () => {
    expect(INDEX).toContain(`](${file})`);
  });
});

it('returns the money of a leaked seed to its payers', () => {
  const { text = '' } = runbooks.find(({ file }) => file === 'ledger-drift.md') ?? {};
  const [leaked = ''] = /^.*seed has leaked.*$/m.exec(text) ?? [];
  expect(leaked).toContain('recovery-drill.md');
  expect(leaked).not.toContain('treasury');
});
