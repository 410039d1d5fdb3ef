import type { AlertCase, AlertSituation } from './alert-case.ts';

const N = 'namespace="n"';
const JOB_UP = `maker_service_up{${N},component="job"}`;
const VALIDATION_UP = `maker_service_up{${N},component="token-validation"}`;
const GATEWAY_UP = `maker_service_up{${N},job="api-gateway",instance="g",component="api-gateway"}`;
const SITE_UP = `maker_service_up{${N},job="site",instance="s",component="site"}`;
const installed = (...components: string[]) =>
  Object.fromEntries(
    components.map((component) => [`maker_component_installed{${N},component="${component}"}`, '1x120']),
  );
/** Components that a new job needs. */
const UP = {
  [JOB_UP]: '1x120',
  [VALIDATION_UP]: '1x120',
  [GATEWAY_UP]: '1x120',
  ...installed('job', 'token-validation', 'api-gateway'),
};

const refusals = (reason: string) => `maker_job_refusals_total{${N},reason="${reason}"}`;
const created = `maker_job_created_total{${N}}`;

function refused(because: string, fires: AlertSituation['series'], silent: AlertSituation['series']): AlertCase {
  return {
    alert: 'MakerNewJobsRefused',
    because,
    fires: {
      series: { ...UP, ...fires },
      at: '30m',
      labels: { namespace: 'n' },
      says: 'Visitors cannot create a job. The product refuses every job, or a service that a job needs is not reachable.',
    },
    silent: { series: { ...UP, ...silent }, at: '30m' },
    absent: { series: UP, at: '60m', fires: false },
  };
}

function down(component: string, fires: AlertSituation['series'], silent: AlertSituation['series']): AlertCase {
  return {
    alert: 'MakerSiteDown',
    because: component,
    fires: {
      series: fires,
      at: '10m',
      labels: { namespace: 'n', component },
      says: `No replica of ${component} is scraped. Visitors cannot open or use the site.`,
    },
    silent: { series: silent, at: '30m' },
    // No service at all: MakerNothingScraped covers it.
    absent: { series: installed('api-gateway', 'site'), at: '30m', fires: false },
  };
}

/** Faults for a visitor who creates a job. */
export const NEW_JOBS_CASES: readonly AlertCase[] = [
  refused(
    'all capacity is booked',
    { [refusals('capacity')]: '0+1x60', [created]: '5x60' },
    // Some requests exceed the capacity, and others succeed.
    { [refusals('capacity')]: '0+3x60', [created]: '0+1x60' },
  ),
  refused(
    'no service can answer',
    { [refusals('outage')]: '0+1x60', [created]: '0x60' },
    // A visitor's own mistakes.
    { [refusals('token')]: '0+3x60', [refusals('amount')]: '0+3x60', [created]: '0x60' },
  ),
  refused(
    'the counter of addresses is behind',
    { [`maker_job_creations_refused_total{${N}}`]: '0+1x60' },
    { [`maker_job_creations_refused_total{${N}}`]: '7x60' },
  ),
  refused(
    'the API has no NATS',
    { [`maker_nats_connected{${N},job="api-gateway",instance="g"}`]: '0x60' },
    {
      [`maker_nats_connected{${N},job="api-gateway",instance="g"}`]: '1x60',
      [`maker_nats_connected{${N},job="webhook-sender",instance="w"}`]: '0x60',
    },
  ),
  refused(
    'no exchange is left to check a token with',
    {
      [`maker_service_up{${N},job="token-validation",instance="t",component="token-validation"}`]: '1x60',
      [`maker_chain_exchanges{${N},job="token-validation",instance="t",state="in_use"}`]: '0x60',
    },
    {
      [`maker_service_up{${N},job="token-validation",instance="t",component="token-validation"}`]: '1x60',
      [`maker_chain_exchanges{${N},job="token-validation",instance="t",state="in_use"}`]: '1x60',
    },
  ),
  refused('the job service is gone', { [JOB_UP]: '1x20 stale' }, { [JOB_UP]: '1x28 stale 1x60' }),
  refused('token-validation is gone', { [VALIDATION_UP]: '1x20 stale' }, { [VALIDATION_UP]: '1x28 stale 1x60' }),
  down('api-gateway', { ...installed('api-gateway'), [JOB_UP]: '1x60', [GATEWAY_UP]: '1x5 stale' }, UP),
  down(
    'site',
    { ...UP, ...installed('site'), [SITE_UP]: '1x5 stale' },
    // Disabled: another server serves it.
    { ...UP, [SITE_UP]: '1x5 stale' },
  ),
];
