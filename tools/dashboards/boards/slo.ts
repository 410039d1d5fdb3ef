import { type Board, colours, of, type PanelDraft, rate, row, rowOf, sumBy } from '../board.ts';
import { type ServiceLevel, serviceLevels } from '../service-levels.ts';

const WINDOWS = ['5m', '1h', '2h', '6h', '1d', '3d'];
/** Burn rate that pages, for an error budget of 30 days. */
const PAGES_FROM = 14.4;

const levels = serviceLevels();
const ofLevel = (record: string, { name }: ServiceLevel) => `${record}{namespace=~"$namespace",sloth_slo="${name}"}`;
const budgetOf = ({ objective }: ServiceLevel) => Number(((100 - objective) / 100).toFixed(6));
const runbookOf = ({ alerting }: ServiceLevel) => alerting.annotations.runbook_url.replace(/^.*\/|\.md$/g, '');

const each = (what: string, panel: (level: ServiceLevel) => PanelDraft) =>
  Object.fromEntries(levels.map((level) => [`${level.alerting.annotations.title}: ${what}`, panel(level)]));

function kept(level: ServiceLevel): PanelDraft {
  return {
    description: `${level.description} Promised: ${level.objective} %, over 30 days.`,
    unit: 'percentunit',
    kind: 'stat',
    decimals: 3,
    queries: { '{{namespace}}': `1 - ${ofLevel('slo:sli_error:ratio_rate30d', level)}` },
    thresholds: colours('red', ['green', level.objective / 100]),
  };
}

function left(level: ServiceLevel): PanelDraft {
  return {
    description: `Part of the ${100 * budgetOf(level)} % error budget of 30 days that is left.`,
    unit: 'percentunit',
    kind: 'stat',
    decimals: 1,
    queries: { '{{namespace}}': ofLevel('slo:period_error_budget_remaining:ratio', level) },
    thresholds: colours('red', ['orange', 0], ['green', 0.25]),
  };
}

function burn(level: ServiceLevel): PanelDraft {
  return {
    description: `Burn rate of the error budget, as a multiple of the allowed rate, by window. 14.4 over 1 h and 5 min pages. Runbook ${runbookOf(level)}.`,
    unit: 'suffix:×',
    queries: WINDOWS.map((window) => ({
      expr: `${ofLevel(`slo:sli_error:ratio_rate${window}`, level)} / ${budgetOf(level)}`,
      legend: `{{namespace}} ${window}`,
    })),
    thresholds: colours('green', ['orange', 1], ['red', PAGES_FROM]),
  };
}

export const slo: Board = {
  uid: 'maker-slo',
  title: 'Maker / SLO',
  description:
    'Service level objectives (alerting/service-levels.yaml), the level reached, and the burn rate of the error budget.',
  rows: [
    row('Kept over 30 days', each('kept', kept)),
    row('Budgets left', each('left', left)),
    row('Burn', each('burn', burn)),
    rowOf({ width: 12 }, 'Paid jobs', {
      'Ends of paid jobs': {
        description: 'Paid jobs that ended within 30 days, by status. failed_technical is never acceptable.',
        kind: 'bargauge',
        decimals: 0,
        queries: {
          '{{to}}': `sum by (to) (increase(${of('maker_job_transitions_total', 'from="active"')}[30d]))`,
        },
      },
      'Requests counted': {
        description:
          'API requests per second that count for the objectives; with few requests one failure is a large share.',
        unit: 'reqps',
        queries: [
          sumBy(
            'namespace',
            rate('maker_http_requests_total', 'route!~"/healthz|/openapi.json|unmatched|/jobs/:jobId/events"'),
          ),
        ],
      },
    }),
  ],
};
