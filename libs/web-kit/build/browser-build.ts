import path from 'node:path';
import { type Configuration, type RuleSetRule, rspack } from '@rspack/core';
import { NAMED_BROWSERS } from './named-browsers.ts';
import { precompressedFiles } from './precompressed-files.ts';

const BROWSERS = Object.entries(NAMED_BROWSERS).map(([name, version]) => `${name} >= ${version}`);

/** A file that takes longer counts as missing, and the page offers Retry. */
const CHUNK_TIMEOUT_MS = 15_000;

/** Output folder of every browser app's build, below its own folder. */
export const WEB_OUTPUT = 'dist/web';

/** Mode of the build: production unless NODE_ENV is development, which is readable and quick to build. */
export function buildMode(): 'production' | 'development' {
  return process.env.NODE_ENV === 'development' ? 'development' : 'production';
}

/** Compiles TypeScript and JSX to JavaScript, for browsers and for the pre-rendering. */
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

/** Bundles workspace packages from their sources, so that a bundle contains only used code. */
export const RESOLVE: NonNullable<Configuration['resolve']> = {
  extensions: ['.ts', '.tsx', '.js', '.mjs'],
  conditionNames: ['@maker/source', '...'],
};

/**
 * Name of a class of a `.module.css` file, from its app, file and class name. So no app's styles affect another's elements, and
 * the pre-rendered page has the same classes as the browser's. Classes of `@maker/ui` keep their names.
 */
const CLASS_NAME = '[local]-[hash:6]';

/** Loads styles, for browsers and for the pre-rendering. @param namesOnly only the class names, without the styles */
export function styleRule(namesOnly = false): RuleSetRule {
  return { test: /\.css$/, type: 'css/auto', generator: { localIdentName: CLASS_NAME, exportsOnly: namesOnly } };
}

/**
 * The common configuration of every browser app's build. All file names except a remote's entry contain a hash of the
 * content, styles are separate files, and no code needs `eval` or an inline script (design § 8).
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
      // A package is in the file of the code that uses it, not in one of its own.
      splitChunks: { cacheGroups: { defaultVendors: false } },
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
