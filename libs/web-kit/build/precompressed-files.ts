import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type RspackPluginInstance, rspack } from '@rspack/core';
import { assetsPlugin } from './assets-plugin.ts';

const COMPRESSIBLE = /\.(js|css|html|svg)$/;

/** Minimum size to compress, bytes: below it a compressed copy saves no packet. */
const WORTH_COMPRESSING = 1024;

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

/** Writes a `.br` and a `.gz` beside each text file, so that servers send the smallest form without compressing at run time. */
export function precompressedFiles(): RspackPluginInstance {
  const stage = rspack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_TRANSFER;
  return assetsPlugin('PrecompressedFiles', stage, async (compilation) => {
    for (const [name, source] of Object.entries(compilation.assets)) {
      if (!COMPRESSIBLE.test(name)) continue;
      const content = source.buffer();
      if (content.length < WORTH_COMPRESSING) continue;
      const emit = (ending: string, compressed: Buffer) =>
        compilation.emitAsset(`${name}.${ending}`, new rspack.sources.RawSource(compressed));
      emit('br', await promisify(brotliCompress)(content, BROTLI));
      emit('gz', await promisify(gzip)(content, { level: 9 }));
    }
  });
}
