import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';

const WORKSPACE = join(import.meta.dirname, '../..');
const WORKFLOWS = globSync('.github/workflows/*.yaml', { cwd: WORKSPACE });

it.each(WORKFLOWS)('%s pins each action by commit', (path) => {
  const used = [...readFileSync(join(WORKSPACE, path), 'utf8').matchAll(/\buses: *(.+)$/gm)].map(
    ([, action]) => action,
  );
  expect(used.length).toBeGreaterThan(0);
  for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

/** A job with its steps in their order. */
interface Job {
  readonly steps: readonly { readonly name?: string; readonly run?: string }[];
}

const jobsOf = (name: string): readonly Job[] =>
  Object.values(parse(readFileSync(join(WORKSPACE, `.github/workflows/${name}.yaml`), 'utf8')).jobs);

describe('a release', () => {
  const steps = jobsOf('release').flatMap((job) => job.steps);
  const check = steps.findIndex(({ run }) => run?.includes('--workflow nightly.yaml'));

  it.each([
    ['refuses a commit without a green nightly run', '0', 1],
    ['takes a commit with a green nightly run', '1', 0],
  ])('%s', (_, green, code) => {
    const folder = mkdtempSync(join(tmpdir(), 'maker-gh-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const asked = join(folder, 'asked');
    writeFileSync(join(folder, 'gh'), `#!/bin/sh\necho "$@" > ${asked}\necho ${green}\n`, { mode: 0o755 });
    const env = { PATH: `${folder}:${process.env.PATH}`, GITHUB_SHA: 'c0ffee' };
    expect(spawnSync('bash', ['-e', '-c', steps[check]?.run ?? ''], { env }).status).toBe(code);
    expect(readFileSync(asked, 'utf8')).toContain('--workflow nightly.yaml --commit c0ffee --status success');
  });

  it('checks that before it pushes anything', () => {
    expect(check).toBeGreaterThanOrEqual(0);
    expect(check).toBeLessThan(steps.findIndex(({ run }) => run?.includes('--registry')));
    expect(check).toBeLessThan(steps.findIndex(({ run }) => run?.includes('docker login')));
  });
});

it.each(['nightly', 'release'])('%s scans the bills of materials that it made', (name) => {
  const job = jobsOf(name).find(({ steps }) => steps.some(({ run }) => run?.includes('osv-scanner" scan')));
  const runs = job?.steps.map(({ run }) => run ?? '') ?? [];
  const scan = runs.findIndex((run) => run.includes('.release/*.cdx.json | xargs'));
  expect(scan).toBeGreaterThan(runs.findIndex((run) => run.startsWith('npm run release -- ')));
  const published = runs.slice(0, scan).filter((run) => run.startsWith('gh release'));
  expect(published).toEqual([]);
});
