import { type Configuration, rspack } from '@rspack/core';
import { browserBuild } from './browser-build.ts';

/**
 * The build of a separate page: an HTML file that shares no code with the shell.
 * @param directory the app's folder, absolute; its `index.html` is the page's @param publicPath its path on its origin
 */
export function pageBuild(directory: string, publicPath: string): Configuration {
  const common = browserBuild(directory);
  return {
    ...common,
    entry: { page: './src/main.tsx' },
    output: { ...common.output, publicPath, uniqueName: 'maker_page' },
    plugins: [
      new rspack.HtmlRspackPlugin({ template: './index.html', inject: 'head', scriptLoading: 'defer' }),
      ...(common.plugins ?? []),
    ],
  };
}
