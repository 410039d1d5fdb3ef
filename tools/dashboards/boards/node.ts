import { type Board, colours, of, rate, row, sumBy } from '../board.ts';

export const node: Board = {
  uid: 'maker-node',
  title: 'Maker / Node',
  description: "The services' processes: CPU, memory, event loop, garbage collection, restarts.",
  rows: [
    row('Processes', [
      {
        title: 'CPU',
        description: 'Cores that each process uses; one is the most that a single event loop can.',
        queries: { '{{job}} {{instance}}': rate('process_cpu_seconds_total') },
      },
      {
        title: 'Memory',
        description: 'Resident memory of each process.',
        unit: 'bytes',
        queries: { '{{job}} {{instance}}': of('process_resident_memory_bytes') },
      },
      {
        title: 'Uptime',
        description: 'Since the start of each process. A saw tooth: runbook service-restarting.',
        unit: 's',
        queries: { '{{job}} {{instance}}': `time() - ${of('process_start_time_seconds')}` },
      },
      {
        title: 'Open files',
        description: 'File descriptors, sockets among them.',
        queries: { '{{job}} {{instance}}': of('process_open_fds') },
      },
      {
        title: 'Active resources',
        description: 'What keeps the event loop busy: timers, sockets, requests. Steady growth is a leak.',
        queries: { '{{job}} {{instance}}': of('nodejs_active_resources_total') },
      },
      {
        title: 'Live channels',
        description:
          'Open streams of receipts, jobs that the gateway holds in memory, and jobs that wait for their turn to be asked for.',
        queries: {
          streams: `sum(${of('maker_live_streams')})`,
          'jobs in memory': `sum(${of('maker_snapshot_jobs')})`,
          'jobs to be asked for': `sum(${of('maker_snapshot_waiting_jobs')})`,
        },
      },
    ]),
    row('Event loop and heap', [
      {
        title: 'Event loop lag',
        description: '99th percentile of how late timers run. Above half a second: runbook event-loop-blocked.',
        unit: 's',
        queries: { '{{job}} {{instance}}': of('nodejs_eventloop_lag_p99_seconds') },
        thresholds: colours('green', ['red', 0.5]),
      },
      {
        title: 'Heap',
        description: 'Heap in use; a floor that rises for days is a leak.',
        unit: 'bytes',
        queries: { '{{job}} {{instance}}': of('nodejs_heap_size_used_bytes') },
      },
      {
        title: 'Garbage collection',
        description: 'Share of time spent on garbage collection, by kind.',
        unit: 'percentunit',
        queries: [sumBy('job, kind', rate('nodejs_gc_duration_seconds_sum'))],
      },
      {
        title: 'Reads answered from memory',
        description: "Share of the gateway's reads that its snapshot had, by view.",
        unit: 'percentunit',
        min: 0,
        max: 1,
        queries: {
          '{{view}}': `sum by (view) (${rate('maker_snapshot_reads_total', 'outcome="hit"')}) / sum by (view) (${rate('maker_snapshot_reads_total')})`,
        },
      },
    ]),
  ],
};
