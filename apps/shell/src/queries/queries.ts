import { QueryClient } from '@tanstack/react-query';

/**
 * The page's one query client. A failed read is not repeated behind the visitor's back: what polls comes round again, and
 * the steps say what happened. Calls are made even when the browser believes to be offline, so that they can say so.
 */
export const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
});
