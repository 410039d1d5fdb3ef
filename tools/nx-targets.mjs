/**
 * Plugin of Nx (nx.json): what each app and library can be asked for beside its build, from what stands in its folder.
 * Plain JavaScript, since Nx loads it by whichever Node it runs on.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const NODE = 'node_modules/node/bin/node';
const VITEST = `${NODE} node_modules/vitest/vitest.mjs run --project unit --project screens --passWithNoTests --reporter=minimal`;

/** @param {string} root folder of an app or library, from the workspace's */
function targetsOf(root) {
  const run = (command, inputs, more = {}) => ({
    executor: 'nx:run-commands',
    cache: true,
    options: { command, cwd: '{workspaceRoot}' },
    inputs,
    ...more,
  });
  return {
    test: run(`${VITEST} ${root}/src`, [
      '{projectRoot}/**/*',
      '^sources',
      'toolchain',
      '{workspaceRoot}/vitest.config.ts',
    ]),
    lint: run(`node_modules/.bin/biome check --error-on-warnings ${root}`, [
      '{projectRoot}/**/*',
      '{workspaceRoot}/biome.json',
      'toolchain',
    ]),
    // The one before it builds what this one reads; two at once would write the same files.
    typecheck: run(`node_modules/.bin/tsc -b ${root}`, ['sources', '^sources'], { dependsOn: ['^typecheck'] }),
  };
}

export const createNodes = [
  '{apps,libs}/*/package.json',
  (files, _options, { workspaceRoot }) =>
    files
      .map((file) => [file, dirname(file)])
      .filter(([, root]) => existsSync(join(workspaceRoot, root, 'tsconfig.json')))
      .map(([file, root]) => [file, { projects: { [root]: { targets: targetsOf(root) } } }]),
];
