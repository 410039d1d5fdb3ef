import path from 'node:path';
import { type Configuration, rspack } from '@rspack/core';
import { browserBuild, buildMode, RESOLVE, scriptRule, styleRule } from './browser-build.ts';
import { sharedVersions } from './federated-versions.ts';
import { prerenderedPages } from './prerendered-pages.ts';

const PRERENDER_OUTPUT = 'dist/prerender';
const SHELL_NAME = 'maker_shell';
const PRERENDER_FILE = 'prerender.mjs';
/** Has the page of a development build load itself anew after each build. */
const RELOADER = './src/deployment/reload-on-rebuild.ts';

/**
 * The two builds of the shell: first its pages as functions that Node can call, then the browser's files, into whose
 * HTML those functions write what a visitor sees before any script has run.
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
    // The federation runtime is one file with what uses it: packages have none of their own.
    optimization: { ...common.optimization, splitChunks: { cacheGroups: { defaultVendors: false } } },
    plugins: [
      ...(common.plugins ?? []),
      new rspack.DefinePlugin({
        SHARED_VERSIONS: JSON.stringify(sharedVersions()),
        // The federation runtime leaves out what is only for servers and for its own development tools.
        FEDERATION_OPTIMIZE_NO_SNAPSHOT_PLUGIN: 'true',
        ENV_TARGET: '"web"',
      }),
      new rspack.CopyRspackPlugin({ patterns: [{ from: 'public' }] }),
      prerenderedPages(path.join(directory, PRERENDER_OUTPUT, PRERENDER_FILE)),
    ],
  };
  return [prerender, browser];
}
