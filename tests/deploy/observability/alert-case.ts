/**
 * Input of one case: series in promtool's notation ('0+1x60' starts at 0 and rises by 1 a minute for 60 minutes), and the time of
 * evaluation.
 */
export interface AlertSituation {
  readonly series: Readonly<Record<string, string>>;
  readonly at: string;
}

/** The three situations of one alert. */
export interface AlertCase {
  readonly alert: string;
  /** For an alert on a budget, which is in two rules: how fast the budget burns. */
  readonly burn?: 'page' | 'ticket';
  /** Subject of this case, if an alert has several. */
  readonly because?: string;
  /** Interval of samples and evaluations; a minute by default. */
  readonly everyMinutes?: number;
  readonly fires: AlertSituation & {
    /** Labels beyond those of the rule. */
    readonly labels: Readonly<Record<string, string>>;
    /** The rendered description. */
    readonly says: string;
  };
  /** Series while the fault lasts; by default those of `fires`, whose last value or rise goes on. */
  readonly lasts?: AlertSituation['series'];
  /** Nearly a fault, but not one. */
  readonly silent: AlertSituation;
  /**
   * The metric is missing. Most alerts are silent then: MakerServiceMissing, MakerNothingScraped and MakerReadingsFailing
   * report it.
   */
  readonly absent: AlertSituation & { readonly fires: boolean };
}
