import type { Compilation, RspackPluginInstance } from '@rspack/core';

/** A plugin that changes the files of a build in one stage of their processing. */
export function assetsPlugin(
  name: string,
  stage: number,
  change: (compilation: Compilation) => void | Promise<void>,
): RspackPluginInstance {
  return {
    apply({ hooks }) {
      hooks.thisCompilation.tap(name, (compilation) => {
        compilation.hooks.processAssets.tapPromise({ name, stage }, async () => change(compilation));
      });
    },
  };
}
