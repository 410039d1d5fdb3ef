import type { RemoteName, SharedModule } from '@maker/web-kit';
import { REMOTE_ENTRY_FILE, REMOTES, remoteGlobal } from '@maker/web-kit';
import { createInstance } from '@module-federation/enhanced/runtime';
import { QueryClient, QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query';
import react from 'react';
import jsxRuntime from 'react/jsx-runtime';
import reactDom from 'react-dom';

/** Versions of the packages that the shell provides, inserted by the build. */
declare const SHARED_VERSIONS: Readonly<Record<string, string>>;

const PROVIDED: Readonly<Record<SharedModule, unknown>> = {
  react,
  'react/jsx-runtime': jsxRuntime,
  'react-dom': reactDom,
  // Only these exports: the whole package is 3 KiB larger. biome.json allows the remotes the same ones.
  '@tanstack/react-query': { QueryClient, QueryClientProvider, useQuery, useQueryClient },
};

/** Time limit for loading a remote's script, ms. */
const REMOTE_TIMEOUT_MS = 10_000;

const host = createInstance({
  name: 'maker_shell',
  plugins: [{ name: 'remote-timeout', createScript: () => ({ timeout: REMOTE_TIMEOUT_MS }) }],
  shareStrategy: 'loaded-first',
  remotes: (Object.keys(REMOTES) as RemoteName[]).map((name) => ({
    name: remoteGlobal(name),
    alias: name,
    entry: `/remotes/${name}/${REMOTE_ENTRY_FILE}`,
  })),
  shared: Object.fromEntries(
    Object.entries(PROVIDED).map(([name, module]) => {
      const version = SHARED_VERSIONS[name] ?? '';
      return [
        name,
        {
          version,
          lib: () => module,
          shareConfig: { singleton: true, strictVersion: true, requiredVersion: version },
        },
      ];
    }),
  ),
});

/** Loads a remote's entry and its module. Rejects if the remote is unreachable; the next call tries again. */
export function loadFromRemote(name: RemoteName): Promise<unknown> {
  return host.loadRemote(`${name}/${REMOTES[name].replace('./', '')}`);
}
