import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const read = (path: string) => readFileSync(join(WORKSPACE_ROOT, path), 'utf8');

describe('.github/CODEOWNERS', () => {
  const rules = read('.github/CODEOWNERS')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(/\s+/));

  it('names paths that exist, each with an owner', () => {
    for (const [path = '', ...owners] of rules) {
      expect(owners.length, path).toBeGreaterThan(0);
      if (path !== '*') expect(existsSync(join(WORKSPACE_ROOT, path)), path).toBe(true);
    }
  });

  it.each(['/libs/signing/', '/tools/release/', '/.github/'])('gives %s to the security team', (path) => {
    expect(rules.find(([own]) => own === path)?.[1]).toMatch(/\/security$/);
  });
});

describe('the workflow for pull requests', () => {
  const workflow = parse(read('.github/workflows/pull-request.yaml'));

  it('runs the checks for each pull request', () => {
    expect(Object.keys(workflow.on)).toContain('pull_request');
    const jobs: { steps: { run?: string }[] }[] = Object.values(workflow.jobs);
    expect(jobs.flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []))).toContain('npm run check');
  });

  it('may only read, and sees no secret', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(read('.github/workflows/pull-request.yaml')).not.toContain('secrets.');
  });
});

it('gives the chart a home, sources and an existing icon', () => {
  const { home, sources, icon } = parse(read('charts/hyperevm-maker-bot/Chart.yaml'));
  expect(sources).toEqual([home]);
  const [, path = ''] = /^https:\/\/raw\.githubusercontent\.com\/[^/]+\/[^/]+\/main\/(.+)$/.exec(icon) ?? [];
  expect(existsSync(join(WORKSPACE_ROOT, path)), path).toBe(true);
});

it('names a version with each chart of others', () => {
  const pages = ['docs/operate/install.md', 'k8s/README.md'];
  const commands = pages.flatMap((page) => read(page).match(/helm (?:install|upgrade) .*/g) ?? []);
  const others = commands.filter((command) => !/ maker /.test(command));
  expect(others.length).toBeGreaterThan(2);
  for (const command of others) expect(command).toMatch(/ --repo https:\/\/\S+ --version \d+\.\d+\.\d+ /);
});

describe('renovate.json', () => {
  const { customManagers, packageRules } = JSON.parse(read('renovate.json')) as {
    customManagers: { managerFilePatterns: string[]; matchStrings: string[]; depNameTemplate?: string }[];
    packageRules: { matchDepNames?: string[]; matchUpdateTypes?: string[]; enabled?: boolean }[];
  };

  it('finds versions by each pattern of files', () => {
    for (const { managerFilePatterns, matchStrings } of customManagers) {
      for (const pattern of managerFilePatterns) {
        const text = globSync(pattern, { cwd: WORKSPACE_ROOT }).map(read).join('\n');
        const found = matchStrings.flatMap((match) => [...text.matchAll(new RegExp(match, 'g'))]);
        expect(found.length, pattern).toBeGreaterThan(0);
        for (const { groups } of found) expect(groups?.currentValue, pattern).toMatch(/^(v?\d+\.\d+|latest$)/);
      }
    }
  });

  it('follows patches of production’s MongoDB, not its series', () => {
    const [manager] = customManagers.filter(({ managerFilePatterns }) =>
      managerFilePatterns.includes('k8s/mongodb/mongodb.yaml'),
    );
    const [version] = read('k8s/mongodb/mongodb.yaml').matchAll(new RegExp(manager?.matchStrings[0] ?? '$^', 'g'));
    expect(version?.groups?.currentValue).toBe(parse(read('k8s/mongodb/mongodb.yaml')).spec.version);
    const stopped = packageRules.filter(({ matchDepNames, enabled }) =>
      Boolean(enabled === false && matchDepNames?.includes(manager?.depNameTemplate ?? '')),
    );
    expect(stopped.flatMap(({ matchUpdateTypes }) => matchUpdateTypes)).toEqual(['major', 'minor']);
  });
});

// To update it, run `npm run changelog`.
it('begins CHANGELOG.md with the version of the product', () => {
  const { version } = JSON.parse(read('package.json'));
  expect(read('CHANGELOG.md').split('\n')[0]).toMatch(new RegExp(`^# ${version.replaceAll('.', '\\.')}\\b`));
});
