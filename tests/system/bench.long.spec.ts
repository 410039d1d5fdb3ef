import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { expect, it } from 'vitest';

it('npm run bench measures everything in a smoke run', async () => {
  const args = ['--conditions=@maker/source', join('tests', 'bench', 'bench.ts'), '--smoke'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: WORKSPACE_ROOT });
  const rows = stdout.split('\n').filter((line) => line.startsWith('| '));
  expect(rows[0]).toMatch(/^\| figure \| peer \| ours ÷ peer/);
  expect(rows.length).toBeGreaterThan(30);
  expect(stdout).not.toContain('NaN');
}, 900_000);
