import { CONFIGURATION_DEFAULTS, type ReadLink } from '@maker/web-kit';
import { useCallback, useEffect, useRef } from 'react';
import type { QuietReload } from './deployment/quiet-reload.ts';
import { Recovery, useRecovery } from './deployment/recovery.ts';
import { ArrivedByMoving } from './layout/arrival.tsx';
import { Footer } from './layout/footer.tsx';
import { Header } from './layout/header.tsx';
import { Unavailable } from './layout/unavailable.tsx';
import { UnknownJob } from './layout/unknown-job.tsx';
import { Waiting } from './layout/waiting.tsx';
import { goBack, navigate, type Page, usePage, useSiteLinks } from './path.ts';
import { RemoteView } from './remotes/remote-view.tsx';
import * as styles from './site.module.css';
import { useBackend } from './use-backend.ts';
import { useJobLink } from './wizard/use-job-link.ts';
import { type UseWizardParameters, useWizard } from './wizard/use-wizard.ts';
import { Wizard } from './wizard/wizard.tsx';

interface AppProps extends UseWizardParameters {
  readonly reload: QuietReload;
  /** The page that the HTML contains. */
  readonly prerendered: Page;
  /** The job link that opened this page load, if any. */
  readonly link?: ReadLink | undefined;
}

/** The shell: header, the wizard or the terms, footer. */
export function App({ reload, prerendered, link, ...wizardParameters }: AppProps) {
  const page = usePage(prerendered);
  const backendState = useBackend();
  const { backend, failed, retry } = backendState;
  const wizard = useWizard(wizardParameters);
  const { state, send } = wizard;
  const opening = useJobLink({ link, jobs: wizardParameters.jobs, backend, send });
  const recover = useRecovery(reload);
  const onClick = useSiteLinks();
  const place = state.place.step;
  const wizardOpened = useOnce(page === 'wizard');
  const moved = useMoved(`${page} ${place}`);
  const appName = backend?.configuration.appName ?? CONFIGURATION_DEFAULTS.appName;

  useEffect(() => {
    document.title = page === 'terms' ? `Terms of Service · ${appName}` : appName;
  }, [page, appName]);

  const goHome = useCallback(() => {
    send({ type: 'went_home' });
    navigate('/');
  }, [send]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: only handles clicks on links
    <div className={styles.site} onClick={onClick}>
      <Header appName={appName} configuration={backend?.configuration} onHome={goHome} />
      <main className={styles.content} id="content" tabIndex={-1}>
        <Recovery value={recover}>
          <ArrivedByMoving value={moved}>
            {page === 'terms' && (
              <RemoteView name="terms" onBack={goBack} componentProps={{ onBack: goBack, onHome: goHome }} />
            )}
            {/* Stays mounted behind the terms, so that reading them loses nothing that was entered. */}
            {wizardOpened && (
              <div hidden={page !== 'wizard'}>
                {opening.state === 'none' ? (
                  <Wizard {...wizard} {...backendState} />
                ) : opening.state === 'unknown' ? (
                  <UnknownJob onHome={opening.leave} />
                ) : opening.state === 'failed' || failed ? (
                  <Unavailable onRetry={failed ? retry : opening.retry} onBack={opening.leave} />
                ) : (
                  <Waiting />
                )}
              </div>
            )}
          </ArrivedByMoving>
        </Recovery>
      </main>
      <Footer />
    </div>
  );
}

/** Whether the value has been true at any time since the page load. */
function useOnce(now: boolean): boolean {
  const before = useRef(now);
  if (now) before.current = true;
  return before.current;
}

/** Whether the shown page or step differs from the first one of this page load. */
function useMoved(shown: string): boolean {
  const first = useRef(shown);
  return useOnce(shown !== first.current);
}
