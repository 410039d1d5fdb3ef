import { stat } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { type RspackPluginInstance, rspack } from '@rspack/core';
import { assetsPlugin } from './assets-plugin.ts';

/** Exports of the pre-rendering bundle: returns HTML files by output path, for the files that a page has to load. */
interface PrerenderModule {
  readonly renderPages: (
    files: Record<'scripts' | 'styles' | 'federation', readonly string[]>,
  ) => Readonly<Record<string, string>>;
}

/**
 * Writes the shell's HTML files: each page before any script has run.
 * @param modulePath the bundle that exports `renderPages`, built earlier
 */
export function prerenderedPages(modulePath: string): RspackPluginInstance {
  const stage = rspack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_INLINE;
  return assetsPlugin('PrerenderedPages', stage, async (compilation) => {
    const ending = (group: string, extension: string) => {
      const files = compilation.namedChunkGroups.get(group)?.getFiles() ?? [];
      return files.filter((file) => file.endsWith(extension)).map((file) => `/${file}`);
    };
    // The modification time in the URL prevents that a rebuild in watch mode gets Node's cached module.
    const { mtimeMs } = await stat(modulePath);
    const { renderPages }: PrerenderModule = await import(`${pathToFileURL(modulePath).href}?at=${mtimeMs}`);
    const pages = renderPages({
      scripts: ending('shell', '.js'),
      styles: ending('shell', '.css'),
      federation: ending('federation', '.js'),
    });
    for (const [name, html] of Object.entries(pages)) {
      compilation.emitAsset(name, new rspack.sources.RawSource(html));
    }
  });
}
