import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type Compiler, type RspackPluginInstance, rspack } from '@rspack/core';

const COMPRESSIBLE = /\.(js|css|html|svg)$/;

/** Below this a compressed copy saves no packet. Bytes. */
const WORTH_COMPRESSING = 1024;

/** Writes a `.br` and a `.gz` beside each text file, so that servers send the smallest form without computing it. */
export class PrecompressedFiles implements RspackPluginInstance {
  apply(compiler: Compiler): void {
    compiler.hooks.thisCompilation.tap('PrecompressedFiles', (compilation) => {
      const stage = compiler.rspack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_TRANSFER;
      compilation.hooks.processAssets.tapPromise({ name: 'PrecompressedFiles', stage }, async (assets) => {
        const compressible = Object.entries(assets).filter(([name]) => COMPRESSIBLE.test(name));
        for (const [name, source] of compressible) {
          const content = source.buffer();
          if (content.length < WORTH_COMPRESSING) continue;
          compilation.emitAsset(`${name}.br`, new rspack.sources.RawSource(await brotli(content)));
          compilation.emitAsset(
            `${name}.gz`,
            new rspack.sources.RawSource(await promisify(gzip)(content, { level: 9 })),
          );
        }
      });
    });
  }
}

function brotli(content: Buffer): Promise<Buffer> {
  return promisify(brotliCompress)(content, {
    params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
  });
}
