import { attempt } from '@maker/web-kit';
import { type MouseEvent, useCallback, useSyncExternalStore } from 'react';

const NAVIGATED = 'shell:navigated';

/** The two pages of the product; any other path shows the wizard. Source: specification § 2. */
export type Page = 'wizard' | 'terms';

/** The page that a path shows. */
export function pageOf(path: string): Page {
  return path.replace(/\/+$/, '') === '/terms' ? 'terms' : 'wizard';
}

/** Goes to a path of this site without a page load, or with one if the browser refuses the history entry. */
export function navigate(path: string): void {
  if (path === location.pathname) return;
  attempt(() => history.pushState(null, '', path));
  if (path === location.pathname) window.dispatchEvent(new Event(NAVIGATED));
  else location.assign(path);
}

/** Goes to the previous history entry, or to '/' if the visit began here. Source: specification § 2 'Terms page'. */
export function goBack(): void {
  if (history.length > 1) history.back();
  else navigate('/');
}

/** The current page. @param prerendered the page that the HTML contains, shown until hydrated */
export function usePage(prerendered: Page): Page {
  return useSyncExternalStore(
    subscribe,
    () => pageOf(location.pathname),
    () => prerendered,
  );
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener('popstate', onChange);
  window.addEventListener(NAVIGATED, onChange);
  return () => {
    window.removeEventListener('popstate', onChange);
    window.removeEventListener(NAVIGATED, onChange);
  };
}

/**
 * Turns clicks on plain links to this site's own pages into navigations without a reload. So steps can use
 * `<a href="/terms">` and the wizard keeps its input. The browser handles modified clicks and other targets.
 */
export function useSiteLinks(): (event: MouseEvent) => void {
  return useCallback((event) => {
    const link = (event.target as Element).closest('a');
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.target !== '' || link.origin !== location.origin || link.hash !== '') return;
    event.preventDefault();
    navigate(link.pathname);
  }, []);
}
