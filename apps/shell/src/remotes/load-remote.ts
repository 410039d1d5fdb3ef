import type { RemoteName, RemoteProps } from '@maker/web-kit';
import type { ComponentType } from 'react';

/** A remote's component. */
export type RemoteComponent<Name extends RemoteName> = ComponentType<RemoteProps[Name]>;

/** A remote loaded but exports no component. */
class RemoteUnusableError extends Error {
  readonly code = 'REMOTE_UNUSABLE';

  constructor(name: RemoteName) {
    super(`The remote '${name}' exports no component`);
    this.name = 'RemoteUnusableError';
  }
}

type Loading = Promise<RemoteComponent<RemoteName>>;

const loadings = new Map<RemoteName, Loading>();
const loaded = new Map<RemoteName, RemoteComponent<RemoteName>>();

/** The component of a loaded remote; undefined before. */
export function loadedRemote<Name extends RemoteName>(name: Name): RemoteComponent<Name> | undefined {
  return loaded.get(name) as RemoteComponent<Name> | undefined;
}

/**
 * Loads a remote's component, once. The first remote also loads the federation runtime, so that the landing does not wait
 * for it. Does not keep a failure: the next call tries again. @throws RemoteUnusableError
 */
export function loadRemote<Name extends RemoteName>(name: Name): Promise<RemoteComponent<Name>> {
  let loading = loadings.get(name);
  if (!loading) {
    loading = fetchRemote(name);
    loadings.set(name, loading);
    loading.catch(() => loadings.delete(name));
  }
  return loading as unknown as Promise<RemoteComponent<Name>>;
}

async function fetchRemote(name: RemoteName): Loading {
  const [{ loadFromRemote }, { withQueries }] = await Promise.all([
    import(/* webpackChunkName: "federation" */ './federation-host.ts'),
    import(/* webpackChunkName: "federation" */ '../with-queries.tsx'),
  ]);
  const module = (await loadFromRemote(name)) as { readonly default?: unknown } | null;
  if (typeof module?.default !== 'function') throw new RemoteUnusableError(name);
  const component = withQueries(module.default as ComponentType<object>) as RemoteComponent<RemoteName>;
  loaded.set(name, component);
  return component;
}
