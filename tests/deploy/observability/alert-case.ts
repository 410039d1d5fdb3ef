/**
 * Input of one case: series in promtool's notation ('0+1x60' begins at 0 and rises by 1 a minute for 60 minutes), and
 * when to look.
 */
export interface AlertSituation {
  readonly series: Readonly<Record<string, string>>;
  readonly at: string;
}

/** What one alert must do in three situations. */
export interface AlertCase {
  readonly alert: string;
  /** Of an alert on a budget, which stands in two rules: how fast it burns. */
  readonly burn?: 'page' | 'ticket';
  /** What this case is about, where an alert has several. */
  readonly because?: string;
  /** Time between two samples and two looks; a minute by default. */
  readonly everyMinutes?: number;
  readonly fires: AlertSituation & {
    /** Labels beyond those of the rule. */
    readonly labels: Readonly<Record<string, string>>;
    /** The description as the person who is woken reads it. */
    readonly says: string;
  };
  /** Near, but not wrong. */
  readonly silent: AlertSituation;
  /**
   * The metric is gone. Most alerts are silent then: MakerServiceMissing, MakerNothingScraped and MakerReadingsFailing
   * are the ones that say so.
   */
  readonly absent: AlertSituation & { readonly fires: boolean };
}
