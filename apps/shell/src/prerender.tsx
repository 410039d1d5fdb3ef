import { CONFIGURATION_DEFAULTS, JobStore, REMOTE_ENTRY_FILE } from '@maker/web-kit';
import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { App } from './app.tsx';
import { QuietReload } from './deployment/quiet-reload.ts';
import type { Page } from './path.ts';
import { noScript } from './site.module.css';
import { KeptPlace } from './wizard/kept-place.ts';
import { StepHistory } from './wizard/step-history.ts';

/** Files that a page has to load, as absolute paths on the site. */
interface PageFiles {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  /** Files that the shell needs before it can load a remote. */
  readonly federation: readonly string[];
}

/** Renders the HTML of both pages as visitors see it before any script has run. Called by the build. */
export function renderPages(files: PageFiles): Record<string, string> {
  const { appName } = CONFIGURATION_DEFAULTS;
  return {
    'index.html': renderPage('wizard', appName, { ...files, federation: [] }),
    // The terms are a remote: preload the files on the way to their text in parallel.
    'terms/index.html': renderPage('terms', `Terms of Service · ${appName}`, {
      ...files,
      federation: [...files.federation, `/remotes/terms/${REMOTE_ENTRY_FILE}`],
    }),
  };
}

function renderPage(page: Page, title: string, { scripts, styles, federation }: PageFiles): string {
  const nothing = () => undefined;
  const jobs = new JobStore(noStorage);
  const reload = new QuietReload(noStorage, nothing);
  const kept = new KeptPlace(noStorage, () => false);
  const content = renderToString(
    <StrictMode>
      <App jobs={jobs} reload={reload} kept={kept} steps={new StepHistory(() => [], null)} prerendered={page} />
    </StrictMode>,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="Micro-level activity for your HyperEVM token: small, real orders from one public wallet, each on a receipt.">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${styles.map((file) => `<link rel="stylesheet" href="${file}">`).join('\n')}
${federation.map((file) => `<link rel="preload" as="script" href="${file}">`).join('\n')}
${scripts.map((file) => `<script defer data-shell src="${file}"></script>`).join('\n')}
<script defer src="/start-again.js"></script>
</head>
<body>
<p role="alert" hidden>This page could not be loaded. Reload it in a minute.</p>
<div id="root" data-page="${page}">${content}</div>
<noscript><p class="${noScript}">This page needs JavaScript to validate tokens and to show payments.</p></noscript>
</body>
</html>
`;
}

/** The build has no storage. */
function noStorage(): never {
  throw new Error('There is no storage while pre-rendering');
}
