import { stat } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { Compiler, RspackPluginInstance } from '@rspack/core';
import { rspack } from '@rspack/core';

/** Files that a page has to load, as absolute paths on the site. */
export interface PageFiles {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  /** What the shell fetches before it can ask for any remote. */
  readonly federation: readonly string[];
}

/** What the pre-rendering bundle exports: HTML files by their path in the output. */
export interface PrerenderModule {
  readonly renderPages: (files: PageFiles) => Readonly<Record<string, string>>;
}

/** Writes the shell's HTML files: each is the page as it looks before any script has run. */
export class PrerenderedPages implements RspackPluginInstance {
  readonly #modulePath: string;

  /** @param modulePath the bundle that exports `renderPages`, built before */
  constructor(modulePath: string) {
    this.#modulePath = modulePath;
  }

  apply(compiler: Compiler): void {
    compiler.hooks.thisCompilation.tap('PrerenderedPages', (compilation) => {
      const stage = compiler.rspack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_INLINE;
      compilation.hooks.processAssets.tapPromise({ name: 'PrerenderedPages', stage }, async () => {
        const ending = (group: string, extension: string) => {
          const files = compilation.namedChunkGroups.get(group)?.getFiles() ?? [];
          return files.filter((file) => file.endsWith(extension)).map((file) => `/${file}`);
        };
        const { renderPages } = await this.#load();
        const pages = renderPages({
          scripts: ending('shell', '.js'),
          styles: ending('shell', '.css'),
          federation: ending('federation', '.js'),
        });
        for (const [name, html] of Object.entries(pages)) {
          compilation.emitAsset(name, new rspack.sources.RawSource(html));
        }
      });
    });
  }

  /** The modification time keeps a rebuild in watch mode from getting Node's cached module. */
  async #load(): Promise<PrerenderModule> {
    const { mtimeMs } = await stat(this.#modulePath);
    return (await import(`${pathToFileURL(this.#modulePath).href}?at=${mtimeMs}`)) as PrerenderModule;
  }
}
