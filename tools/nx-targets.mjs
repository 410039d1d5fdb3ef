/**
 * Plugin of Nx (nx.json): the targets of each app and library, by the files in its folder.
 * Plain JavaScript, since Nx may run it on any Node.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const NODE = 'node_modules/node/bin/node';
const VITEST = `${NODE} node_modules/vitest/vitest.mjs run --project unit --project screens --passWithNoTests --reporter=minimal`;

/**
 * A build emits code without checking types, which is four fifths of tsc's work; `typecheck` checks them (docs/adr/0135). The command
 * runs without npm, whose start would cost a third of the whole build.
 * @param {string} [bundle] the package's script of this name
 */
function buildTarget(bundle) {
  const isPage = bundle?.startsWith('rspack');
  const command = [isPage ? undefined : 'tsc -b --noCheck', bundle].filter(Boolean).join(' && ');
  return {
    executor: 'nx:run-commands',
    options: { command, cwd: '{projectRoot}' },
    // Pages bundle the sources.
    dependsOn: isPage ? [] : ['^build'],
  };
}

/** @param {string} root folder of an app or library, relative to the workspace @param {string} [bundle] its script of this name */
function targetsOf(root, bundle) {
  const run = (command, inputs, more = {}) => ({
    executor: 'nx:run-commands',
    cache: true,
    options: { command, cwd: '{workspaceRoot}' },
    inputs,
    ...more,
  });
  return {
    build: buildTarget(bundle),
    test: run(`${VITEST} ${root}/src`, [
      '{projectRoot}/**/*',
      '^sources',
      'toolchain',
      '{workspaceRoot}/vitest.config.ts',
    ]),
    lint: run(`tools/linters/node_modules/.bin/biome check --error-on-warnings ${root}`, [
      '{projectRoot}/**/*',
      '{workspaceRoot}/biome.json',
      'toolchain',
    ]),
    // The earlier task builds files that this one reads; in parallel both would write the same files.
    typecheck: run(`node_modules/.bin/tsc -b ${root}`, ['sources', '^sources'], { dependsOn: ['^typecheck'] }),
  };
}

export const createNodes = [
  '{apps,libs}/*/package.json',
  (files, _options, { workspaceRoot }) =>
    files
      .map((file) => [file, dirname(file)])
      .filter(([, root]) => existsSync(join(workspaceRoot, root, 'tsconfig.json')))
      .map(([file, root]) => {
        const { scripts } = JSON.parse(readFileSync(join(workspaceRoot, file), 'utf8'));
        return [file, { projects: { [root]: { targets: targetsOf(root, scripts?.bundle) } } }];
      }),
];
