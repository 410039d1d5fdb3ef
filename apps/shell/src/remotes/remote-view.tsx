import { ErrorBoundary } from '@maker/ui';
import { logQuietly, type RemoteName, type RemoteProps } from '@maker/web-kit';
import { createElement, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { Recovery } from '../deployment/recovery.ts';
import { Arrival, ArrivedByMoving } from '../layout/arrival.tsx';
import { Unavailable } from '../layout/unavailable.tsx';
import { Waiting } from '../layout/waiting.tsx';
import { loadedRemote, loadRemote, type RemoteComponent } from './load-remote.ts';

interface RemoteViewProps<Name extends RemoteName> {
  readonly name: Name;
  /** Passed to the remote's component. */
  readonly componentProps: RemoteProps[Name];
  readonly onBack: () => void;
}

type Load<Name extends RemoteName> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed' }
  | { readonly state: 'ready'; readonly component: RemoteComponent<Name> };

/**
 * Shows a remote, a waiting state while it loads, and a message with Retry if it cannot be loaded or throws. An error stays
 * inside: the shell and the other remotes continue (design § 8).
 */
export function RemoteView<Name extends RemoteName>({
  name,
  componentProps,
  onBack,
}: RemoteViewProps<Name>): ReactNode {
  const [load, setLoad] = useState<Load<Name>>(() => startOf(name));
  const [attempt, setAttempt] = useState(0);
  const moved = useContext(ArrivedByMoving);
  const recover = useContext(Recovery);
  const left = useRef(false);

  const fail = useCallback(async () => {
    setLoad({ state: 'loading' });
    const reloading = await recover(name);
    if (!reloading && !left.current) setLoad({ state: 'failed' });
  }, [name, recover]);

  const onBroken = (reason: unknown) => {
    logQuietly(`The remote '${name}' failed`, reason);
    void fail();
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt loads again
  useEffect(() => {
    left.current = false;
    loadRemote(name).then(
      (component) => {
        if (!left.current) setLoad({ state: 'ready', component });
      },
      (reason: unknown) => {
        logQuietly(`The remote '${name}' could not be loaded`, reason);
        if (!left.current) void fail();
      },
    );
    return () => {
      left.current = true;
    };
  }, [name, attempt]);

  const retry = useCallback(() => {
    setLoad({ state: 'loading' });
    setAttempt((previous) => previous + 1);
  }, []);

  if (load.state === 'loading') return <Waiting />;
  return (
    // After a new attempt, the focused Retry button no longer exists: move the focus to the title.
    <ArrivedByMoving value={moved || attempt > 0}>
      {load.state === 'failed' ? (
        <Unavailable onRetry={retry} onBack={onBack} />
      ) : (
        <ErrorBoundary key={attempt} onError={onBroken}>
          <Arrival>{createElement(load.component, componentProps)}</Arrival>
        </ErrorBoundary>
      )}
    </ArrivedByMoving>
  );
}

/** Shows a loaded remote immediately, without the waiting state. */
function startOf<Name extends RemoteName>(name: Name): Load<Name> {
  const component = loadedRemote(name);
  return component ? { state: 'ready', component } : { state: 'loading' };
}
