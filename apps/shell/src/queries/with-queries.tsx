import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, createElement } from 'react';

/**
 * The page's one query client. A failed read is not repeated behind the visitor's back: what polls comes round again, and
 * the steps say what happened. Calls are made even when the browser believes to be offline, so that they can say so.
 */
export const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always' },
  },
});

/**
 * A component that reads by the page's query client. Each of them brings the client along, and the site around them does
 * not, so that the landing can be used before TanStack Query is there (docs/adr/0006).
 */
export function withQueries<Props extends object>(component: ComponentType<Props>): ComponentType<Props> {
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each component, never while rendering
  return function WithQueries(props) {
    return <QueryClientProvider client={queries}>{createElement(component, props)}</QueryClientProvider>;
  };
}
