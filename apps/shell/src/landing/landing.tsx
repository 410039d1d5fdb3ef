import { Button } from '@maker/ui';
import type { ApiClient, OpenJob } from '@maker/web-kit';
import { Arrival } from '../layout/arrival.tsx';
import { LiveStats } from './live-stats.tsx';
import { RecentJobs } from './recent-jobs.tsx';

/** Props of `Landing`. */
export interface LandingProps {
  /** Absent until the configuration is read. */
  readonly api: ApiClient | undefined;
  readonly recentJobs: readonly OpenJob[];
  readonly onStart: () => void;
  /** The visitor is about to press START. */
  readonly onIntent: () => void;
  readonly onReopen: (job: OpenJob) => void;
}

/** The first step. Source: specification § 2 'Landing'. */
export function Landing({ api, recentJobs, onStart, onIntent, onReopen }: LandingProps) {
  return (
    <Arrival>
      <section className="landing">
        <div className="landing__hero">
          <h1 className="landing__headline">
            Boosted Activity. <span>Increased Visibility.</span>
          </h1>
          <p className="landing__subline">
            Micro-level activity for your token: hundreds of small, real orders from one public wallet, every one of
            them on a receipt that you can open.
          </p>
          <div className="landing__start">
            <Button size="large" onClick={onStart} onPointerEnter={onIntent} onFocus={onIntent}>
              START
            </Button>
            <span className="landing__terms">No account, no wallet to connect</span>
          </div>
        </div>
        <div className="order-ticks" aria-hidden="true" />
        <LiveStats api={api} />
        <RecentJobs jobs={recentJobs} onReopen={onReopen} />
      </section>
    </Arrival>
  );
}
