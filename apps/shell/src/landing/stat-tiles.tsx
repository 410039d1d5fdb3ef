import { shortenAddress } from '@maker/rules';
import { Stat, Stats } from '@maker/ui';
import type { StatsAnswer } from '@maker/web-kit';
import * as styles from './stat-tiles.module.css';

/** Shown in a tile until the answer has a value. */
const UNKNOWN = '–';

/** The three stat tiles. Source: specification § 2. @param stats of the last answer; undefined before the first one */
export function StatTiles({ stats }: { readonly stats?: StatsAnswer | undefined }) {
  const latest = stats?.latestJob?.tokenAddress;
  const latestJob = latest ? `#${shortenAddress(latest)}` : stats ? 'No recent jobs' : UNKNOWN;
  return (
    <div className={styles.tiles}>
      <Stats>
        <Stat label="Active Bots" value={stats ? stats.jobs.active : UNKNOWN} />
        <Stat label="Latest Job" value={<span translate={latest ? 'no' : undefined}>{latestJob}</span>} />
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
