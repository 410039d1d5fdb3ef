import { type Configuration, rspack } from '@rspack/core';
import {
  REMOTE_ENTRY_FILE,
  REMOTES,
  type RemoteName,
  remoteBuildGlobal,
  remoteGlobal,
} from '../src/federation/remotes.ts';
import { browserBuild } from './browser-build.ts';
import { sharedVersions } from './shared-versions.ts';

/**
 * The build of a remote: one entry file, whose container holds the step or page, served from `/remotes/<name>/`.
 * The federation runtime is the shell's, and so are React and the other shared packages (docs/adr/0006).
 * @param directory the app's folder, absolute
 */
export function remoteBuild(directory: string, name: RemoteName): Configuration {
  const common = browserBuild(directory);
  const exposed = REMOTES[name];
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
      new rspack.container.ModuleFederationPluginV1({
        name: remoteGlobal(name),
        filename: REMOTE_ENTRY_FILE,
        exposes: { [exposed]: { import: exposed.replace('./', './src/'), name: exposed.replace('./', '') } },
        shared: Object.fromEntries(
          Object.entries(sharedVersions()).map(([module, version]) => [module, provided(version)]),
        ),
      }),
    ],
  };
}

/** A shared package is never bundled into a remote: the shell has the only copy and provides exactly this version. */
function provided(version: string) {
  return { singleton: true, strictVersion: true, import: false, requiredVersion: version } as const;
}
