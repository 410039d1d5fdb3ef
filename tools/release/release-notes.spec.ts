import { describe, expect, it } from 'vitest';
import { changelog, nextVersion, notesOf, releaseNotes } from './release-notes.ts';
import type { RunStep } from './run-step.ts';

const SUBJECTS = ['feat(job): jobs wait', 'test: nothing for readers', 'fix!: amounts are wei', 'Merge branch'];

it('lists features, fixes and breaking changes only', () => {
  expect(notesOf('0.2.0', SUBJECTS)).toBe(
    '# 0.2.0\n\n## To be done when upgrading\n\n- amounts are wei\n\n## New\n\n- **job**: jobs wait\n\n## Mended\n\n- amounts are wei\n',
  );
});

it.each([
  ['0.4.1', ['fix: one'], '0.4.2'],
  ['0.4.1', ['perf: one'], '0.4.2'],
  ['0.4.1', ['fix: one', 'feat: two'], '0.5.0'],
  ['0.4.1', ['fix!: one'], '0.5.0'],
  ['1.4.1', ['feat(job)!: one', 'feat: two'], '2.0.0'],
  ['1.4.1', ['test: one', 'docs: two'], undefined],
])('after %s, %j makes the next version: %s', (last, subjects, next) => {
  expect(nextVersion(last, subjects)).toBe(next);
});

describe('with the history of a repository', () => {
  const LOGS: Readonly<Record<string, string>> = {
    'v0.2.0..HEAD': 'fix: third',
    'v0.1.0..v0.2.0': 'feat: second',
    'v0.1.0': 'feat: first',
    'v0.1.0..abc': 'feat: second',
  };
  const run: RunStep = async (_, args) => {
    if (args.includes('tag')) return 'v0.2.0\nv0.1.0\n';
    return LOGS[args.at(-1) ?? ''] ?? '';
  };

  it('lists releases, newest first, after unreleased changes', async () => {
    expect((await changelog(run, 'HEAD', '0.2.0')).match(/^(#|-) .*/gm)).toEqual([
      '# 0.2.1, not yet released',
      '- third',
      '# 0.2.0',
      '- second',
      '# 0.1.0',
      '- first',
    ]);
  });

  it('lists the commits since the last release', async () => {
    expect(await releaseNotes(run, { commit: 'abc', version: '0.2.0' })).toContain('- second');
  });
});
