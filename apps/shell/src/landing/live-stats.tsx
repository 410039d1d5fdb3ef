import { ApiCallError, type ApiClient, logQuietly, unwrap } from '@maker/web-kit';
import { useQuery } from '@tanstack/react-query';
import { withQueries } from '../with-queries.tsx';
import { StatTiles } from './stat-tiles.tsx';

/** Refresh interval of the tiles, ms. Source: specification § 9. */
const STATS_REFRESH_MS = 30_000;

interface LiveStatsProps {
  /** Absent until the configuration is loaded. */
  readonly api: ApiClient | undefined;
}

/**
 * The stat tiles, refreshed regularly. When a refresh fails, they keep the last values and only log the failure.
 * Source: specification §§ 2 and 8.
 */
export const LiveStats = withQueries(({ api }: LiveStatsProps) => {
  const { data } = useQuery({
    queryKey: ['stats'],
    queryFn: async ({ signal }) => {
      if (!api) throw new ApiCallError({ error: 'Not ready', message: 'The configuration has not been read' });
      const result = await api.getStats({ signal });
      if (!result.ok && !signal.aborted) logQuietly('The stats could not be read', result.error);
      return unwrap(result);
    },
    enabled: api !== undefined,
    refetchInterval: STATS_REFRESH_MS,
  });
  return <StatTiles stats={data} />;
});
