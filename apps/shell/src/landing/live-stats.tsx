import { shortenAddress } from '@maker/rules';
import { Stat, Stats } from '@maker/ui';
import { ApiCallError, type ApiClient, logQuietly, unwrap } from '@maker/web-kit';
import { useQuery } from '@tanstack/react-query';
import * as styles from './live-stats.module.css';

/** How often the tiles are refreshed, ms. Source: specification § 9. */
const STATS_REFRESH_MS = 30_000;

/** What stands in a tile until the answer says something. */
const UNKNOWN = '–';

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
  const latest = data?.latestJob?.tokenAddress;
  const latestJob = latest ? `#${shortenAddress(latest)}` : data ? 'No recent jobs' : UNKNOWN;
  return (
    <div className={styles.tiles}>
      <Stats>
        <Stat label="Active Bots" value={data ? data.jobs.active : UNKNOWN} />
        <Stat label="Latest Job" value={latestJob} />
        <Stat
          label="Network"
          value={
            <>
              <span className={styles.light} />
              HyperEVM Online
            </>
          }
        />
      </Stats>
    </div>
  );
}
