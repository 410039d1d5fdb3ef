import { ApiClient, loadConfiguration } from '@maker/web-kit';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { Backend } from './wizard/wizard.tsx';

/** The runtime configuration and the API client made from it. */
export interface BackendState {
  readonly backend: Backend | undefined;
  readonly failed: boolean;
  readonly retry: () => void;
}

/** Reads `/config.json` once per page load; a failure can be retried. */
export function useBackend(): BackendState {
  const { data, isError, refetch } = useQuery({
    queryKey: ['configuration'],
    queryFn: () => loadConfiguration(),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const backend = useMemo(
    () => data && { configuration: data, api: new ApiClient({ baseUrl: data.apiBaseUrl, apiKey: data.apiKey }) },
    [data],
  );
  return { backend, failed: isError, retry: useCallback(() => void refetch(), [refetch]) };
}
