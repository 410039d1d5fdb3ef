import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, createElement } from 'react';

/**
 * The page's only query client. It does not retry a failed read: polls repeat anyway, and the steps show the failure. It
 * makes calls even when the browser reports to be offline, so that their failure is shown.
 */
export const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always' },
  },
});

/**
 * Wraps a component in the page's query client. Each such component provides the client itself, so that the landing is
 * usable before TanStack Query is loaded (docs/adr/0006).
 */
export function withQueries<Props extends object>(component: ComponentType<Props>): ComponentType<Props> {
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each component, never while rendering
  return function WithQueries(props) {
    return <QueryClientProvider client={queries}>{createElement(component, props)}</QueryClientProvider>;
  };
}
