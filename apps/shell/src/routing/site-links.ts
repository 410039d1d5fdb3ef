import { type MouseEvent, useCallback } from 'react';
import { navigate } from './path.ts';

/**
 * Turns clicks on plain links to this site's own pages into navigations without a reload, so that steps can write
 * `<a href="/terms">` and the wizard keeps what was entered. Modified clicks and other targets stay the browser's.
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
