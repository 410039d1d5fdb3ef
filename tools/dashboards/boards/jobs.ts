import { type Board, colours, increase, maxBy, of, quantiles, rate, row, rowOf, sumBy } from '../board.ts';

const byPhase = (metric: string) => `max by (phase) (${of(metric, 'phase=~"fee|trading|delivery|return"')})`;

export const jobs: Board = {
  uid: 'maker-jobs',
  title: 'Maker / Jobs',
  description: 'Jobs from creation to the end, the age of open ones, and stuck ones.',
  rows: [
    rowOf({ kind: 'stat', width: 6, decimals: 0 }, 'Funnel within the time range', {
      Created: {
        description: 'Created jobs: a visitor saw a payment address.',
        queries: [`sum(${increase('maker_job_created_total')})`],
      },
      Paid: {
        description: 'Jobs that became active: enough money arrived in time.',
        queries: [`sum(${increase('maker_job_transitions_total', 'to="active"')})`],
      },
      Completed: {
        description: 'Jobs with a spent budget, delivered tokens and a returned rest.',
        queries: [`sum(${increase('maker_job_transitions_total', 'to="completed"')})`],
      },
      'Failed or cancelled after payment': {
        description: 'Paid jobs that did not complete. Examine each one: runbook job-failed.',
        queries: [
          `sum(${increase('maker_job_transitions_total', 'from="active",to=~"failed_liquidity|failed_technical|cancelled"')})`,
        ],
        thresholds: colours('green', ['orange', 0.5]),
      },
    }),
    row('Jobs', {
      'Jobs by status': {
        description: 'As the database has them.',
        queries: [maxBy('status', of('maker_job_jobs'))],
      },
      'Changes of status': {
        description: 'Transitions per second, by the status before and after.',
        unit: 'ops',
        queries: {
          '{{from}} → {{to}}': `sum by (from, to) (${rate('maker_job_transitions_total')})`,
        },
      },
      'Time to active': {
        description: 'From the creation of a job to its activation: mostly how long visitors take to pay.',
        unit: 's',
        queries: quantiles([0.5, 0.95], 'maker_job_time_to_active_seconds'),
      },
    }),
    rowOf({ unit: 's' }, 'Ages', {
      'Oldest open job': {
        description:
          'Age of the oldest job that waits for payment (15 min and some blocks are normal) and of the oldest active one (the execution window, a day unless configured, plus pauses).',
        queries: [maxBy('status', of('maker_job_oldest_seconds'))],
      },
      'Past the deadline and undecided': {
        description: 'Time since the earliest deadline among jobs that still wait. Minutes: runbook job-not-expired.',
        queries: [`max(${of('maker_job_past_deadline_seconds')})`],
        thresholds: colours('green', ['red', 300]),
      },
      'Behind schedule': {
        description:
          'Delay of the execution furthest behind schedule, by phase, without paused ones. Above 10 min: runbook execution-overdue.',
        queries: { '{{phase}}': byPhase('maker_execution_overdue_seconds') },
        thresholds: colours('green', ['red', 600]),
      },
    }),
    row('Capacity', {
      Booked: {
        description:
          'Share of the capacity of all jobs (gas of small blocks, requests to RPC endpoints) that trading jobs have booked. Above 90 %: runbook capacity-booked.',
        unit: 'percentunit',
        queries: [maxBy('resource', of('maker_job_booked_ratio'))],
        thresholds: colours('green', ['orange', 0.9]),
      },
      'Wait for room': {
        description:
          'Executions whose due order waits for room in the share of gas of the minute. Normal: some for a minute after all were paused. All day: runbook capacity-booked.',
        queries: [`sum(${of('maker_execution_waiting_for_room')})`],
      },
      Refused: {
        description: 'Requests for jobs that the service refused, per second, by reason.',
        unit: 'ops',
        queries: [sumBy('reason', rate('maker_job_refusals_total'))],
      },
    }),
    rowOf({ kind: 'table', width: 12 }, 'Stuck list', {
      'Where executions are, and how late': {
        description:
          'One line per phase. Metrics contain no job ids: GET /operator/jobs and the runbook execution-overdue show them.',
        queries: {
          executions: byPhase('maker_execution_executions'),
          'furthest behind, s': byPhase('maker_execution_overdue_seconds'),
        },
      },
      'Why executions wait, and how long': {
        description: 'One line per reason of a pause. Their meanings: runbook executions-paused.',
        queries: {
          executions: `max by (reason) (${of('maker_execution_paused')})`,
          'longest, s': `max by (reason) (${of('maker_execution_longest_pause_seconds')})`,
        },
      },
    }),
  ],
};
