import './deployment/started.ts';
import '@maker/ui/styles.css';
import { attempt, JobStore, logQuietly, readJobLink } from '@maker/web-kit';
import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { QuietReload } from './deployment/quiet-reload.ts';
import { type Page, pageOf } from './path.ts';
import { KeptPlace } from './wizard/kept-place.ts';
import { StepHistory } from './wizard/step-history.ts';

const container = document.getElementById('root');
if (!container) throw new Error('The page has no element #root');

const jobs = new JobStore(() => localStorage);
const reload = new QuietReload(
  () => sessionStorage,
  () => location.reload(),
);
const kept = new KeptPlace(
  () => sessionStorage,
  () => cameBy('reload'),
);
const openJob = jobs.openJob();
const linked = readJobLink(location.hash);
// The address of the wizard is '/'. An old link also had a secret, which leaves the address at once.
if (linked) attempt(() => history.replaceState(null, '', location.pathname));
const steps = new StepHistory(() => jobs.recentJobs(), history.state);
// A link pasted into an open tab changes only the part after the '#', which loads nothing: reload the page.
addEventListener('hashchange', () => {
  if (readJobLink(location.hash)) location.reload();
});
// After a reload, and after Back from another site, the visitor returns to the same place.
const left =
  kept.restore() ??
  (cameBy('reload') || cameBy('back_forward') ? steps.arrived() : undefined) ??
  (openJob && ({ step: 'payment', job: openJob } as const));
const lost = left ? undefined : steps.lostJob();
const link = linked ?? (lost === undefined ? undefined : { jobId: lost });
const start = link || left?.step === 'landing' ? undefined : left;
const prerendered = container.dataset.page as Page;
const app = (
  <StrictMode>
    <App jobs={jobs} reload={reload} kept={kept} steps={steps} prerendered={prerendered} start={start} link={link} />
  </StrictMode>
);

// The HTML contains the landing or the terms. For a visitor who returns to a later step, or whose server sent the landing
// for another path, render a new page, so that the wrong content never shows.
if (prerendered === pageOf(location.pathname) && !start && !link) {
  hydrateRoot(container, app, {
    // A translator or an extension has changed the HTML before: React then renders the page again.
    onRecoverableError: (reason) => logQuietly('Page changed before its start', reason),
  });
} else {
  container.replaceChildren();
  createRoot(container).render(app);
}

/** Whether this page load is of the given navigation type. */
function cameBy(type: PerformanceNavigationTiming['type']): boolean {
  return performance.getEntriesByType('navigation').some((entry) => 'type' in entry && entry.type === type);
}
