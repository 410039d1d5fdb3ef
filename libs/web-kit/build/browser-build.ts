import path from 'node:path';
import { type Configuration, type RuleSetRule, rspack } from '@rspack/core';
import { precompressedFiles } from './precompressed-files.ts';

/** Browsers that the product supports; decides how far syntax and CSS are translated. */
const BROWSERS = ['chrome >= 120', 'edge >= 120', 'firefox >= 121', 'safari >= 17.2'];

/** A file that has not arrived by then counts as missing, so that the visitor is offered Retry. */
const CHUNK_TIMEOUT_MS = 15_000;

/** Where every browser app's build ends up, below its own folder. */
export const WEB_OUTPUT = 'dist/web';

/** The mode of this run: production unless NODE_ENV says development, which is readable and quick to build. */
export function buildMode(): 'production' | 'development' {
  return process.env.NODE_ENV === 'development' ? 'development' : 'production';
}

/** How TypeScript and JSX become JavaScript, for browsers and for the pre-rendering alike. */
export function scriptRule(): RuleSetRule {
  return {
    test: /\.tsx?$/,
    loader: 'builtin:swc-loader',
    options: {
      jsc: {
        parser: { syntax: 'typescript', tsx: true },
        transform: { react: { runtime: 'automatic', development: buildMode() === 'development' } },
      },
      env: { targets: BROWSERS },
    },
    type: 'javascript/auto',
  };
}

/** Workspace packages are taken from their sources, so that only what is used is bundled. */
export const RESOLVE: NonNullable<Configuration['resolve']> = {
  extensions: ['.ts', '.tsx', '.js', '.mjs'],
  conditionNames: ['@maker/source', '...'],
};

/**
 * What a class of a `.module.css` file is called: by its app, its file and its name, so that no app's styles reach another's
 * elements, and the pre-rendered page has the classes of the browser's. Classes of `@maker/ui` keep their names.
 */
const CLASS_NAME = '[local]-[hash:6]';

/** How styles are read, for browsers and for the pre-rendering alike. @param namesOnly without the styles themselves */
export function styleRule(namesOnly = false): RuleSetRule {
  return { test: /\.css$/, type: 'css/auto', generator: { localIdentName: CLASS_NAME, exportsOnly: namesOnly } };
}

/**
 * What the build of every browser app has in common. All files but a remote's entry carry a hash of their content in
 * their name, styles are files of their own, and nothing needs `eval` or an inline script (design § 8).
 * @param directory the app's folder, absolute
 */
export function browserBuild(directory: string): Configuration {
  const mode = buildMode();
  return {
    mode,
    context: directory,
    target: `browserslist:${BROWSERS.join(', ')}`,
    devtool: mode === 'development' ? 'cheap-module-source-map' : 'source-map',
    resolve: RESOLVE,
    module: {
      rules: [scriptRule(), styleRule(), { test: /\.(woff2|svg|png)$/, type: 'asset/resource' }],
    },
    output: {
      path: path.join(directory, WEB_OUTPUT),
      clean: true,
      chunkLoadTimeout: CHUNK_TIMEOUT_MS,
      filename: 'assets/[name].[contenthash:12].js',
      chunkFilename: 'assets/[name].[contenthash:12].js',
      cssFilename: 'assets/[name].[contenthash:12].css',
      cssChunkFilename: 'assets/[name].[contenthash:12].css',
      assetModuleFilename: 'assets/[name].[contenthash:12][ext]',
    },
    optimization: {
      minimizer: [
        new rspack.SwcJsMinimizerRspackPlugin({
          minimizerOptions: { compress: { passes: 3 }, format: { comments: false } },
        }),
        new rspack.LightningCssMinimizerRspackPlugin({ minimizerOptions: { targets: BROWSERS } }),
      ],
    },
    plugins: mode === 'production' ? [precompressedFiles()] : [],
    performance: { hints: false },
  };
}
