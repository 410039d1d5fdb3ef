import { type Board, buckets, colours, increase, of, p95By, quantiles, rate, row, rowOf, sumBy } from '../board.ts';
import { QUESTIONS } from './questions.ts';

const API = 'route!~"/healthz|/openapi.json|unmatched"';
const FIRING = 'alertname=~"Maker.+",alertname!="MakerAlertingWorks",alertstate="firing"';
/** Services that every installation has; webhooks are optional. */
const REQUIRED = ['api-gateway', 'token-validation', 'job', 'payment-watcher', 'maker-executor', 'receipts'];

export const overview: Board = {
  uid: 'maker-overview',
  title: 'Maker / Overview',
  description: 'Five questions, one row each, then the API as visitors see it. Red names its runbook.',
  rows: [
    rowOf({ height: 8 }, 'Is something wrong?', {
      'Services missing': {
        description:
          'Services without a scraped replica, of those that every installation has, and a site that is down. Runbook service-missing, runbook site-down.',
        kind: 'stat',
        width: 4,
        queries: [
          `${REQUIRED.length} - (count(count by (component) (${of('maker_service_up', `component=~"${REQUIRED.join('|')}"`)})) or vector(0)) + (count(ALERTS{namespace=~"$namespace",alertname="MakerSiteDown",component="site",alertstate="firing"}) or vector(0))`,
        ],
        thresholds: colours('green', ['red', 1]),
      },
      'Alerts firing': {
        description:
          'Alerts of this product that fire now. Each names its runbook. Without MakerAlertingWorks, which always fires while alerting works.',
        kind: 'stat',
        width: 4,
        queries: [`count(ALERTS{namespace=~"$namespace",${FIRING}}) or vector(0)`],
        thresholds: colours('green', ['red', 1]),
      },
      'Alert list': {
        description: 'Alerts that fire now. Click one to find its runbook.',
        kind: 'table',
        width: 16,
        sortBy: 'severity',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana replaces it
        rowLink: { column: 'alertname', title: 'Find the runbook', url: 'docs/alerts.md#:~:text=${__value.text}' },
        queries: {
          firing: `sum by (severity, alertname, component) (ALERTS{namespace=~"$namespace",${FIRING}})`,
        },
      },
    }),
    ...QUESTIONS,
    rowOf({ kind: 'stat', width: 6, decimals: 0 }, 'From visitor to completed job, within the time shown', {
      'Tokens validated': {
        description: 'Visitors whose token can be traded.',
        queries: [`sum(${increase('maker_validation_answers_total', 'outcome="valid"')})`],
      },
      'Jobs created': {
        description: 'Visitors who saw a payment address.',
        queries: [`sum(${increase('maker_job_created_total')})`],
      },
      'Jobs paid': {
        description: 'Jobs that became active: enough money arrived in time.',
        queries: [`sum(${increase('maker_job_transitions_total', 'to="active"')})`],
      },
      'Jobs completed': {
        description: 'Jobs with a spent budget, delivered tokens and a returned rest.',
        queries: [`sum(${increase('maker_job_transitions_total', 'to="completed"')})`],
      },
    }),
    row('api-gateway: what visitors get', {
      'Requests by route': {
        description: 'Answered HTTP requests per second, by route template.',
        unit: 'reqps',
        queries: [sumBy('route', rate('maker_http_requests_total'))],
        stacked: true,
      },
      'Failed requests': {
        description: 'Share of API requests that ended with a 5xx. The SLO is below 0.1 % over 30 days.',
        unit: 'percentunit',
        min: 0,
        queries: {
          '5xx': `sum(${rate('maker_http_requests_total', `${API},status=~"5.."`)}) / sum(${rate('maker_http_requests_total', API)})`,
          'rate limited': `sum(${rate('maker_http_requests_total', 'status="429"')}) / sum(${rate('maker_http_requests_total')})`,
        },
      },
      Duration: {
        description: 'Time to answer, over all routes, without streams. Validation reads the chain and is slowest.',
        unit: 's',
        queries: quantiles([0.5, 0.95, 0.99], 'maker_http_request_duration_seconds'),
      },
      'Requests by their duration': {
        description:
          'Number of requests by duration. If traces are exported, each point is a request with a trace and links to it.',
        unit: 's',
        kind: 'heatmap',
        width: 12,
        queries: [buckets('maker_http_request_duration_seconds')],
      },
    }),
    row('token-validation, job, maker-executor: requests to them', {
      'Requests by subject': {
        description:
          'Requests over NATS per second, as the requesting services see them. The first word of a subject is the service.',
        unit: 'reqps',
        queries: [sumBy('subject', rate('maker_nats_requests_total'))],
        stacked: true,
      },
      'Requests without an answer': {
        description:
          'Requests that failed inside the service, timed out, or found no service. Without refusals by rules of the product.',
        unit: 'reqps',
        queries: [
          sumBy('subject, outcome', rate('maker_nats_requests_total', 'outcome=~"failed|timeout|unavailable"')),
        ],
      },
      'Duration by subject': {
        description: '95th percentile of the time from a request to its answer.',
        unit: 's',
        queries: [p95By('subject', 'maker_nats_request_duration_seconds')],
      },
    }),
    rowOf({ unit: 'ops' }, 'payment-watcher and maker-executor: background work', {
      'Blocks scanned': {
        description: 'Blocks that the watcher finishes per second; the chain makes about one.',
        queries: [`clamp_min(max(deriv(${of('maker_watcher_cursor_block')}[$__rate_interval])), 0)`],
      },
      Orders: {
        description: 'Orders mined per second, successful and reverted.',
        queries: [sumBy('status', rate('maker_order_orders_total', 'status=~"mined|failed"'))],
      },
      'Failed ticks and events': {
        description: 'Execution ticks and event deliveries that failed with an error; both are retried.',
        queries: [
          { expr: `sum(${rate('maker_execution_faults_total')})`, legend: 'execution ticks' },
          sumBy('type', rate('maker_events_consumed_total', 'outcome="failed"')),
        ],
      },
    }),
    rowOf({ kind: 'bargauge', width: 12 }, 'Today', {
      'Validations by outcome': {
        description: 'Answers to visitors within the time shown, by the reason of a refusal.',
        queries: [sumBy('outcome', increase('maker_validation_answers_total'))],
      },
      'Changes of jobs': {
        description: 'Jobs that changed their status within the time shown.',
        queries: [sumBy('to', increase('maker_job_transitions_total'))],
      },
    }),
  ],
};
