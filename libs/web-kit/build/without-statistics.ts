import type { Compiler, RspackPluginInstance } from '@rspack/core';

const STATISTICS = 'mf-stats.json';

/** Leaves out what the federation plugin writes for tools beside its manifest: in an order of its own each time, and a release is the same bytes twice. */
export class WithoutStatistics implements RspackPluginInstance {
  apply(compiler: Compiler): void {
    compiler.hooks.thisCompilation.tap('WithoutStatistics', (compilation) => {
      const stage = compiler.rspack.Compilation.PROCESS_ASSETS_STAGE_REPORT;
      compilation.hooks.processAssets.tap({ name: 'WithoutStatistics', stage }, (assets) => {
        if (STATISTICS in assets) compilation.deleteAsset(STATISTICS);
      });
    });
  }
}
