import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const FIXTURE = fileURLToPath(new URL('hung-loop.fixture.ts', import.meta.url));

const run = (kind: 'hangs' | 'fails') =>
  spawnSync(
    process.execPath,
    ['--experimental-transform-types', '--no-warnings', '--conditions=@maker/source', FIXTURE, kind],
    { encoding: 'utf8' },
  );

describe('a process whose loop', () => {
  it('hangs ends with status 1 and names the loop', () => {
    const { status, stdout } = run('hangs');
    expect(stdout).toContain('tested loop');
    expect(stdout).toContain('a loop stands');
    expect(status).toBe(1);
  });

  it('fails in each round goes on', () => {
    const { status, stdout } = run('fails');
    expect([status, stdout]).toEqual([0, '']);
  });
});
