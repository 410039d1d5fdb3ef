import path from 'node:path';
import { type Configuration, rspack } from '@rspack/core';
import { browserBuild, buildMode, RESOLVE, scriptRule, styleRule } from './browser-build.ts';
import { sharedVersions } from './federated-versions.ts';
import { prerenderedPages } from './prerendered-pages.ts';

const PRERENDER_OUTPUT = 'dist/prerender';
const SHELL_NAME = 'maker_shell';
const PRERENDER_FILE = 'prerender.mjs';
/** Makes the page of a development build reload after each build. */
const RELOADER = './src/deployment/reload-on-rebuild.ts';

/**
 * The two builds of the shell: first its pages as functions for Node, then the browser's files. The functions write the
 * initial content of the pages into their HTML, so that visitors see it before any script has run.
 * @param directory the shell's folder, absolute
 */
export function shellBuild(directory: string): Configuration[] {
  const common = browserBuild(directory);
  const prerender: Configuration = {
    mode: buildMode(),
    name: 'prerender',
    context: directory,
    target: 'node24',
    devtool: false,
    entry: { prerender: './src/prerender.tsx' },
    resolve: RESOLVE,
    module: {
      rules: [
        scriptRule(),
        styleRule(true),
        { test: /\.(woff2|svg|png)$/, type: 'asset/resource', generator: { emit: false } },
      ],
    },
    output: {
      uniqueName: SHELL_NAME,
      path: path.join(directory, PRERENDER_OUTPUT),
      clean: true,
      filename: PRERENDER_FILE,
      module: true,
      library: { type: 'module' },
    },
    optimization: { minimize: false },
  };
  const browser: Configuration = {
    ...common,
    name: 'shell',
    dependencies: ['prerender'],
    entry: { shell: [...(buildMode() === 'development' ? [RELOADER] : []), './src/main.tsx'] },
    output: { ...common.output, publicPath: '/', uniqueName: SHELL_NAME },
    plugins: [
      ...(common.plugins ?? []),
      new rspack.DefinePlugin({
        SHARED_VERSIONS: JSON.stringify(sharedVersions()),
        // Excludes the parts of the federation runtime that serve only servers and its own development tools.
        FEDERATION_OPTIMIZE_NO_SNAPSHOT_PLUGIN: 'true',
        ENV_TARGET: '"web"',
      }),
      // Remotes without a manifest have no snapshots (docs/adr/0006).
      new rspack.NormalModuleReplacementPlugin(
        /\/snapshot\/SnapshotHandler\.js$/,
        path.join(import.meta.dirname, 'no-snapshots.ts'),
      ),
      new rspack.CopyRspackPlugin({ patterns: [{ from: 'public' }] }),
      prerenderedPages(path.join(directory, PRERENDER_OUTPUT, PRERENDER_FILE)),
    ],
  };
  return [prerender, browser];
}
