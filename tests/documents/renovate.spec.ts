import { globSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { describe, expect, it } from 'vitest';
import { GO_TOOLS } from '../../tools/go-tool.ts';

interface CustomManager {
  readonly description: string;
  readonly managerFilePatterns: readonly string[];
  readonly matchStrings: readonly string[];
}

const read = (path: string) => readFileSync(join(WORKSPACE_ROOT, path), 'utf8');
const renovate: {
  readonly extends: readonly string[];
  readonly customManagers: readonly CustomManager[];
  readonly kubernetes: { readonly managerFilePatterns: readonly string[] };
} = JSON.parse(read('renovate.json'));

/** Files that Renovate reads for images without a manager of ours: the defaults of its dockerfile and docker-compose. */
const BUILT_IN = /(^|\/|\.)([Dd]ocker|[Cc]ontainer)file$|(^|\/)(docker-)?compose[^/]*\.ya?ml$/;
const IMAGE = /(?:docker\.io|ghcr\.io|gcr\.io|quay\.io|registry\.k8s\.io)\/[\w./-]+[\w](?:[:@][\w.:-]+)?/g;
/** Images that this repository builds. */
const OURS = /hyperevm-maker-bot/;

/** A pattern of Renovate: `/…/` is a regular expression, anything else a glob. */
const isOf = (pattern: string, path: string) =>
  /^\/.*\/$/.test(pattern) ? new RegExp(pattern.slice(1, -1)).test(path) : matchesGlob(path, pattern);

/** What the custom managers find in a file, by name and version. */
function found(path: string): readonly (readonly [string | undefined, string | undefined])[] {
  return renovate.customManagers
    .filter(({ managerFilePatterns }) => managerFilePatterns.some((pattern) => isOf(pattern, path)))
    .flatMap(({ matchStrings }) => matchStrings)
    .flatMap((pattern) => [...read(path).matchAll(new RegExp(pattern, 'g'))])
    .map(({ groups }) => [groups?.depName, groups?.currentValue] as const);
}

describe('Renovate', () => {
  it('updates actions by their commits', () => {
    expect(renovate.extends).toContain('helpers:pinGitHubActionDigests');
  });

  it('covers every image, of servers and as a base', () => {
    const files = globSync('{docker,k8s,charts/*,libs/*/src,apps/*/src,tools,tests}/**/*.{yaml,ts,Dockerfile}', {
      cwd: WORKSPACE_ROOT,
      exclude: ['**/{node_modules,dist,templates}/**', '**/*.spec.ts', 'tests/deploy/toggles/**'],
    });
    const images = files.flatMap((path) =>
      [...read(path).matchAll(IMAGE)].filter(([image]) => !OURS.test(image)).map(([image]) => ({ path, image })),
    );
    expect(images.length).toBeGreaterThan(8);
    const isCovered = ({ path, image }: { path: string; image: string }) =>
      BUILT_IN.test(path) ||
      renovate.kubernetes.managerFilePatterns.some((pattern) => isOf(pattern, path)) ||
      found(path).some(([name, version]) => image === `${name}:${version}`);
    expect(images.filter((one) => !isCovered(one))).toEqual([]);
  });

  it('covers MongoDB’s version in production', () => {
    const [[, version] = []] = found('k8s/mongodb/mongodb.yaml');
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(read('k8s/mongodb/mongodb.yaml')).toContain(`\n  version: ${version}\n`);
  });

  it('covers every program from a Go module', () => {
    const tools = Object.values(GO_TOOLS).map(({ version }) => version);
    expect(found('tools/go-tool.ts').map(([, version]) => version)).toEqual(tools);
    const workflows = globSync('.github/workflows/*.yaml', { cwd: WORKSPACE_ROOT });
    const installed = workflows.flatMap((path) => read(path).match(/go install \S+/g) ?? []);
    expect(installed.length).toBeGreaterThan(2);
    expect(workflows.flatMap(found)).toHaveLength(installed.length);
  });

  it('names modules, not programs in them', () => {
    const names = [...found('tools/go-tool.ts'), ...found('.github/workflows/release.yaml')].map(([name]) => name);
    expect(names).toContain('github.com/sigstore/cosign/v2');
    expect(names.filter((name) => name?.includes('/cmd/'))).toEqual([]);
  });

  it.each(renovate.customManagers.map(({ description }) => description))(
    'finds something by its manager of %s',
    (of) => {
      const manager = renovate.customManagers.find(({ description }) => description === of);
      const paths = globSync(manager?.managerFilePatterns as string[], { cwd: WORKSPACE_ROOT });
      const matches = paths.flatMap((path) =>
        (manager?.matchStrings ?? []).flatMap((pattern) => read(path).match(new RegExp(pattern, 'g')) ?? []),
      );
      expect(matches.length).toBeGreaterThan(0);
    },
  );
});
