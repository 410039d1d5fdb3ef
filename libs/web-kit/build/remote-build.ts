import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack';
import { type Configuration, type RspackPluginInstance, rspack } from '@rspack/core';
import {
  REMOTE_ENTRY_FILE,
  REMOTES,
  type RemoteName,
  remoteBuildGlobal,
  remoteGlobal,
  STANDARD_CONTAINER,
} from '../src/federation/remotes.ts';
import { assetsPlugin } from './assets-plugin.ts';
import { browserBuild, buildMode } from './browser-build.ts';
import { sharedVersions } from './federated-versions.ts';

const STATISTICS = 'mf-stats.json';

/**
 * The two builds of a remote, served from `/remotes/<name>/`: the container for the product's shell, and below it the
 * container for any federation host. In development mode only the first.
 * @param directory the app's folder, absolute
 */
export function remoteBuilds(directory: string, name: RemoteName): Configuration[] {
  const lean = leanContainer(directory, name);
  return buildMode() === 'development' ? [lean] : [lean, standardContainer(directory, name)];
}

/** One entry file for the step or page. The shell provides the federation runtime, React and the other shared packages (docs/adr/0006). */
function leanContainer(directory: string, name: RemoteName): Configuration {
  const common = browserBuild(directory);
  return {
    ...common,
    name,
    entry: {},
    output: { ...common.output, publicPath: 'auto', uniqueName: remoteGlobal(name) },
    plugins: [
      ...(common.plugins ?? []),
      new rspack.BannerPlugin({
        include: REMOTE_ENTRY_FILE,
        raw: true,
        banner: `var ${remoteBuildGlobal(name)}="[fullhash]";`,
      }),
      new rspack.container.ModuleFederationPluginV1({ ...container(name), shared: allShared(provided) }),
    ],
  };
}

/** The plugin's standard output: a manifest, a runtime and, for hosts that share none, its own React (docs/adr/0034). */
function standardContainer(directory: string, name: RemoteName): Configuration {
  const common = browserBuild(directory);
  return {
    ...common,
    name: `${name} (${STANDARD_CONTAINER})`,
    // The first build empties the folder that contains this one's.
    dependencies: [name],
    entry: {},
    output: {
      ...common.output,
      path: `${common.output?.path}/${STANDARD_CONTAINER}`,
      publicPath: 'auto',
      uniqueName: `${remoteGlobal(name)}_${STANDARD_CONTAINER}`,
    },
    plugins: [
      ...(common.plugins ?? []),
      new ModuleFederationPlugin({ ...container(name), shared: allShared(shared), dts: false, manifest: true }),
      withoutStatistics(),
    ],
  };
}

/** Omits the statistics that the federation plugin writes beside its manifest. Their order varies, but builds must be reproducible. */
function withoutStatistics(): RspackPluginInstance {
  return assetsPlugin('WithoutStatistics', rspack.Compilation.PROCESS_ASSETS_STAGE_REPORT, (compilation) => {
    if (STATISTICS in compilation.assets) compilation.deleteAsset(STATISTICS);
  });
}

function container(name: RemoteName) {
  const exposed = REMOTES[name];
  return {
    name: remoteGlobal(name),
    filename: REMOTE_ENTRY_FILE,
    exposes: { [exposed]: { import: exposed.replace('./', './src/'), name: exposed.replace('./', '') } },
  };
}

function allShared<Share>(share: (version: string) => Share): Record<string, Share> {
  return Object.fromEntries(Object.entries(sharedVersions()).map(([module, version]) => [module, share(version)]));
}

/** A remote never bundles a shared package: the shell has the only copy and provides exactly this version. */
function provided(version: string) {
  return { singleton: true, strictVersion: true, import: false, requiredVersion: version } as const;
}

/** Accepts any later version of the same major from the host; the remote's own copy if the host has none. */
function shared(version: string) {
  return { singleton: true, requiredVersion: `^${version}` } as const;
}
