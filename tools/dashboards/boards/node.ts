import { type Board, colours, of, rate } from '../board.ts';

export const node: Board = {
  uid: 'maker-node',
  title: 'Maker / Node',
  description: "The services' processes: CPU, memory, event loop, garbage collection, restarts.",
  rows: [
    {
      title: 'Processes',
      panels: [
        {
          title: 'CPU',
          description: 'Cores that each process uses; one is the most that a single event loop can.',
          unit: 'none',
          queries: [{ expr: rate('process_cpu_seconds_total'), legend: '{{job}} {{instance}}' }],
        },
        {
          title: 'Memory',
          description: 'Resident memory of each process.',
          unit: 'bytes',
          queries: [{ expr: of('process_resident_memory_bytes'), legend: '{{job}} {{instance}}' }],
        },
        {
          title: 'Uptime',
          description: 'Since the start of each process. A saw tooth: runbook service-restarting.',
          unit: 's',
          queries: [{ expr: `time() - ${of('process_start_time_seconds')}`, legend: '{{job}} {{instance}}' }],
        },
        {
          title: 'Open files',
          description: 'File descriptors, sockets among them.',
          unit: 'none',
          queries: [{ expr: of('process_open_fds'), legend: '{{job}} {{instance}}' }],
        },
        {
          title: 'Active resources',
          description: 'What keeps the event loop busy: timers, sockets, requests. Steady growth is a leak.',
          unit: 'none',
          queries: [{ expr: of('nodejs_active_resources_total'), legend: '{{job}} {{instance}}' }],
        },
        {
          title: 'Live channels',
          description:
            'Open streams of receipts, jobs that the gateway holds in memory, and jobs that wait for their turn to be asked for.',
          unit: 'none',
          queries: [
            { expr: `sum(${of('maker_live_streams')})`, legend: 'streams' },
            { expr: `sum(${of('maker_snapshot_jobs')})`, legend: 'jobs in memory' },
            { expr: `sum(${of('maker_snapshot_waiting_jobs')})`, legend: 'jobs to be asked for' },
          ],
        },
      ],
    },
    {
      title: 'Event loop and heap',
      panels: [
        {
          title: 'Event loop lag',
          description: '99th percentile of how late timers run. Above half a second: runbook event-loop-blocked.',
          unit: 's',
          queries: [{ expr: of('nodejs_eventloop_lag_p99_seconds'), legend: '{{job}} {{instance}}' }],
          thresholds: colours('green', ['red', 0.5]),
        },
        {
          title: 'Heap',
          description: 'Heap in use; a floor that rises for days is a leak.',
          unit: 'bytes',
          queries: [{ expr: of('nodejs_heap_size_used_bytes'), legend: '{{job}} {{instance}}' }],
        },
        {
          title: 'Garbage collection',
          description: 'Share of time spent on garbage collection, by kind.',
          unit: 'percentunit',
          queries: [
            { expr: `sum by (job, kind) (${rate('nodejs_gc_duration_seconds_sum')})`, legend: '{{job}} {{kind}}' },
          ],
        },
        {
          title: 'Reads answered from memory',
          description: "Share of the gateway's reads that its snapshot had, by view.",
          unit: 'percentunit',
          min: 0,
          max: 1,
          queries: [
            {
              expr: `sum by (view) (${rate('maker_snapshot_reads_total', 'outcome="hit"')}) / sum by (view) (${rate('maker_snapshot_reads_total')})`,
              legend: '{{view}}',
            },
          ],
        },
      ],
    },
  ],
};
