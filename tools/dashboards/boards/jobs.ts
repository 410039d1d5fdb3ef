import { type Board, colours, increase, of, quantile, rate } from '../board.ts';

const byPhase = (metric: string) => `max by (phase) (${of(metric, 'phase=~"fee|trading|delivery|return"')})`;

export const jobs: Board = {
  uid: 'maker-jobs',
  title: 'Maker / Jobs',
  description: 'The way of jobs from creation to the end, how old the open ones are, and which are stuck.',
  rows: [
    {
      title: 'Funnel within the time shown',
      panels: [
        {
          title: 'Created',
          description: 'Jobs created: a visitor saw a payment address.',
          unit: 'none',
          kind: 'stat',
          width: 6,
          decimals: 0,
          queries: [{ expr: `sum(${increase('maker_job_created_total')})` }],
        },
        {
          title: 'Paid',
          description: 'Jobs that turned active: enough money came in time.',
          unit: 'none',
          kind: 'stat',
          width: 6,
          decimals: 0,
          queries: [{ expr: `sum(${increase('maker_job_transitions_total', 'to="active"')})` }],
        },
        {
          title: 'Completed',
          description: 'Jobs whose budget was spent, tokens delivered and rest returned.',
          unit: 'none',
          kind: 'stat',
          width: 6,
          decimals: 0,
          queries: [{ expr: `sum(${increase('maker_job_transitions_total', 'to="completed"')})` }],
        },
        {
          title: 'Failed or cancelled after payment',
          description: 'Paid jobs that did not complete. Each deserves a look: runbook job-failed.',
          unit: 'none',
          kind: 'stat',
          width: 6,
          decimals: 0,
          queries: [
            {
              expr: `sum(${increase('maker_job_transitions_total', 'from="active",to=~"failed_liquidity|failed_technical|cancelled"')})`,
            },
          ],
          thresholds: colours('green', ['orange', 0.5]),
        },
      ],
    },
    {
      title: 'Jobs',
      panels: [
        {
          title: 'Jobs by status',
          description: 'As the database has them.',
          unit: 'none',
          queries: [{ expr: `max by (status) (${of('maker_job_jobs')})`, legend: '{{status}}' }],
        },
        {
          title: 'Changes of status',
          description: 'Transitions per second, by the status before and after.',
          unit: 'ops',
          queries: [
            { expr: `sum by (from, to) (${rate('maker_job_transitions_total')})`, legend: '{{from}} → {{to}}' },
          ],
        },
        {
          title: 'Time to active',
          description: 'From the creation of a job to its activation: mostly how long visitors take to pay.',
          unit: 's',
          queries: [0.5, 0.95].map((share) => ({
            expr: quantile(share, 'maker_job_time_to_active_seconds'),
            legend: `p${share * 100}`,
          })),
        },
      ],
    },
    {
      title: 'Ages',
      panels: [
        {
          title: 'Oldest open job',
          description:
            'Age of the oldest job that waits for payment (15 min and some blocks are normal) and of the oldest active one (the execution window, a day unless configured, plus pauses).',
          unit: 's',
          queries: [{ expr: `max by (status) (${of('maker_job_oldest_seconds')})`, legend: '{{status}}' }],
        },
        {
          title: 'Past the deadline and undecided',
          description:
            'How long ago the earliest deadline among jobs that still wait was. Minutes: runbook job-not-expired.',
          unit: 's',
          queries: [{ expr: `max(${of('maker_job_past_deadline_seconds')})` }],
          thresholds: colours('green', ['red', 300]),
        },
        {
          title: 'Behind schedule',
          description:
            'How far the execution that is furthest behind its schedule is behind it, by phase; paused ones are left out. Above 10 min: runbook execution-overdue.',
          unit: 's',
          queries: [{ expr: byPhase('maker_execution_overdue_seconds'), legend: '{{phase}}' }],
          thresholds: colours('green', ['red', 600]),
        },
      ],
    },
    {
      title: 'Capacity',
      panels: [
        {
          title: 'Booked',
          description:
            'Part of what all jobs together may use (gas of small blocks, requests to RPC endpoints) that those which trade have booked. Above 90 %: runbook capacity-booked.',
          unit: 'percentunit',
          width: 8,
          queries: [{ expr: `max by (resource) (${of('maker_job_booked_ratio')})`, legend: '{{resource}}' }],
          thresholds: colours('green', ['orange', 0.9]),
        },
        {
          title: 'Wait for room',
          description:
            'Executions whose order is due and waits for room in the share of the gas of the minute. Some for a minute after a pause of all: as meant. All day: runbook capacity-booked.',
          unit: 'none',
          width: 8,
          queries: [{ expr: `sum(${of('maker_execution_waiting_for_room')})` }],
        },
        {
          title: 'Refused',
          description: 'Jobs that were asked for and not taken, per second, by reason.',
          unit: 'ops',
          width: 8,
          queries: [{ expr: `sum by (reason) (${rate('maker_job_refusals_total')})`, legend: '{{reason}}' }],
        },
      ],
    },
    {
      title: 'Stuck list',
      panels: [
        {
          title: 'Where executions are, and how late',
          description:
            'One line per phase. Ids of jobs are never in metrics: GET /operator/jobs and the runbook execution-overdue name them.',
          unit: 'none',
          kind: 'table',
          width: 12,
          queries: [
            { expr: byPhase('maker_execution_executions'), legend: 'executions' },
            { expr: byPhase('maker_execution_overdue_seconds'), legend: 'furthest behind, s' },
          ],
        },
        {
          title: 'Why executions wait, and how long',
          description: 'One line per reason of a pause. What each means: runbook executions-paused.',
          unit: 'none',
          kind: 'table',
          width: 12,
          queries: [
            { expr: `max by (reason) (${of('maker_execution_paused')})`, legend: 'executions' },
            { expr: `max by (reason) (${of('maker_execution_longest_pause_seconds')})`, legend: 'longest, s' },
          ],
        },
      ],
    },
  ],
};
