import { FEE_PERCENT } from '@maker/rules';
import { Button, ErrorBoundary } from '@maker/ui';
import { type ApiClient, logQuietly, type OpenJob } from '@maker/web-kit';
import { Arrival } from '../layout/arrival.tsx';
import { width } from '../layout/page-width.module.css';
import * as styles from './landing.module.css';
import { loadedLater } from './loaded-later.ts';
import { StatTiles } from './stat-tiles.tsx';

const useLiveStats = loadedLater('The live stats', async () => {
  const { LiveStats } = await import(/* webpackChunkName: "live-stats" */ './live-stats.tsx');
  return LiveStats;
});
const useRecentJobs = loadedLater('Recent jobs', async () => {
  const { RecentJobs } = await import(/* webpackChunkName: "recent-jobs" */ './recent-jobs.tsx');
  return RecentJobs;
});

/** All that a visitor does, and what comes of it. */
const STEPS = ['Enter your token', 'Choose a budget', 'Send HYPE: the tokens come to you'];

const logBroken = (error: unknown) => logQuietly('A part of the landing failed', error);

interface LandingProps {
  /** Absent until the configuration is loaded. */
  readonly api: ApiClient | undefined;
  readonly recentJobs: readonly OpenJob[];
  readonly onStart: () => void;
  /** Called when the visitor is about to press START. */
  readonly onIntent: () => void;
  readonly onReopen: (job: OpenJob) => void;
}

/** The first step. Source: specification § 2 'Landing'. */
export function Landing({ api, recentJobs, onStart, onIntent, onReopen }: LandingProps) {
  const LiveStats = useLiveStats(true);
  const RecentJobs = useRecentJobs(recentJobs.length > 0);
  return (
    <Arrival>
      <section className={`${width} ${styles.landing}`}>
        <div className={styles.top}>
          <div className={styles.hero}>
            <h1 className={styles.headline}>
              Boosted Activity. <span>Increased Visibility.</span>
            </h1>
            <p className={styles.subline}>
              Micro-level activity for your token: small, real orders from one public wallet, all on a receipt.
            </p>
            <div className={styles.start}>
              <Button size="large" onClick={onStart} onPointerEnter={onIntent} onFocus={onIntent}>
                START
              </Button>
              <span className={styles.terms}>No account, no wallet to connect</span>
              <span className={styles.terms}>{`${FEE_PERCENT}% fee, end shown before you pay`}</span>
            </div>
          </div>
          <figure className={styles.example}>
            <figcaption>Example receipt</figcaption>
            <p className={styles.verdict}>Done. 598 BOTH delivered, 0.1 HYPE returned</p>
            <p>1 HYPE received, fee 0.3, 1,500 orders, each verified on the chain</p>
          </figure>
        </div>
        <ol className={styles.steps}>
          {STEPS.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <ErrorBoundary onError={logBroken} fallback={<StatTiles />}>
          {LiveStats ? <LiveStats api={api} /> : <StatTiles />}
          {RecentJobs && recentJobs.length > 0 && <RecentJobs api={api} jobs={recentJobs} onReopen={onReopen} />}
        </ErrorBoundary>
      </section>
    </Arrival>
  );
}
