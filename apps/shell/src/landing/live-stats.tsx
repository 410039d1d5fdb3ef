import { shortenAddress } from '@maker/rules';
import { Stat, Stats } from '@maker/ui';
import { ApiCallError, type ApiClient, logQuietly, unwrap } from '@maker/web-kit';
import { useQuery } from '@tanstack/react-query';

/** How often the tiles are refreshed, ms. Source: specification § 9. */
const STATS_REFRESH_MS = 30_000;

/**
 * The three stat tiles. What was read last stays when a refresh fails: the failure is only logged.
 * Source: specification §§ 2 and 8.
 */
export function LiveStats({ api }: { readonly api: ApiClient | undefined }) {
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
  const latest = data?.latestJob;
  return (
    <Stats>
      <Stat label="Active Bots" value={data ? data.jobs.active : '–'} />
      <Stat label="Latest Job" value={latest ? `#${shortenAddress(latest.tokenAddress)}` : 'No recent jobs'} />
      <Stat
        label="Network"
        value={
          <>
            <span className="network__light" />
            HyperEVM Online
          </>
        }
      />
    </Stats>
  );
}
