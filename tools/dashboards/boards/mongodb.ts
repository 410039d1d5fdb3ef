import { type Board, of, ofServers, p95By, rate, rateOfServers, row, sumBy } from '../board.ts';

const COUNT = 'maker_mongo_command_duration_seconds_count';

export const mongodb: Board = {
  uid: 'maker-mongodb',
  title: 'Maker / MongoDB',
  description:
    'MongoDB as the services see it, and the servers as mongodb_exporter sees them where the platform runs it.',
  servers: { label: 'MongoDB in', series: 'mongodb_ss_connections' },
  rows: [
    row('Commands', [
      {
        title: 'Commands by service',
        description: 'Commands that each service sends to MongoDB per second.',
        unit: 'ops',
        queries: [sumBy('job', rate(COUNT))],
        stacked: true,
      },
      {
        title: 'Duration by command',
        description: '95th percentile. A commit waits for a majority of the replica set and its journals.',
        unit: 's',
        queries: [p95By('command', 'maker_mongo_command_duration_seconds')],
      },
      {
        title: 'Refused commands',
        description: 'Commands per second that failed. Some conflicts of transactions are normal and tried again.',
        unit: 'ops',
        queries: [sumBy('job, command', rate('maker_mongo_command_failures_total'))],
      },
    ]),
    row('Connections', [
      {
        title: 'Connections in use',
        description: 'Connections of the pool that a command holds now.',
        queries: { '{{job}} {{instance}}': of('maker_mongo_connections_in_use') },
      },
      {
        title: 'No connection',
        description:
          'Commands that got no connection, and failed checks of servers, per minute. Runbook mongodb-failing.',
        queries: {
          '{{job}} commands': `sum by (job) (${rate('maker_mongo_checkout_failures_total')}) * 60`,
          '{{job}} checks': `sum by (job) (${rate('maker_mongo_heartbeat_failures_total')}) * 60`,
        },
      },
      {
        title: 'Figures that could not be read',
        description:
          'Readings per minute that failed at a scrape: while they do, boards show gaps. Runbook readings-failing.',
        queries: [sumBy('job', rate('maker_service_failed_readings_total'), ' * 60')],
      },
    ]),
    row('Servers, from mongodb_exporter', [
      {
        title: 'Connections to servers',
        description: 'Connections that each server holds open.',
        queries: { '{{instance}}': ofServers('mongodb_ss_connections', 'conn_type="current"') },
      },
      {
        title: 'Operations',
        description: 'Operations per second of all servers by kind; commands are commits, checks and the like.',
        unit: 'ops',
        queries: [sumBy('legacy_op_type', rateOfServers('mongodb_ss_opcounters'))],
        stacked: true,
      },
      {
        title: 'Mean time of operations',
        description:
          'Time within the servers. What services see on top of it is the network and waiting for a majority.',
        unit: 's',
        queries: {
          '{{op_type}}': `sum by (op_type) (${rateOfServers('mongodb_ss_opLatencies_latency')}) / sum by (op_type) (${rateOfServers('mongodb_ss_opLatencies_ops')}) / 1e6`,
        },
      },
      {
        title: 'Members in health',
        description:
          '1 for each member of the replica set that the others reach. 0: money cannot be written without a majority.',
        min: 0,
        max: 1,
        queries: {
          '{{member_idx}}': `min by (member_idx) (${ofServers('mongodb_rs_members_health')})`,
        },
      },
      {
        title: 'Replication lag',
        description: 'How far each member is behind the newest. Commits wait for a majority: the middle one counts.',
        unit: 's',
        queries: {
          '{{member_idx}}': `(max by (namespace) (${ofServers('mongodb_rs_members_optimeDate')}) - on (namespace) group_right () max by (namespace, member_idx) (${ofServers('mongodb_rs_members_optimeDate')})) / 1000`,
        },
      },
      {
        title: 'Oplog window',
        description:
          'Time that each oplog holds: a member that is away for longer copies everything. Runbook servers-unwell.',
        unit: 's',
        queries: {
          '{{instance}}': `${ofServers('mongodb_mongod_replset_oplog_head_timestamp')} - ${ofServers('mongodb_mongod_replset_oplog_tail_timestamp')}`,
        },
      },
      {
        title: 'Transactions in servers',
        description: 'Transactions per second. Some aborts are write conflicts, which are tried again.',
        unit: 'ops',
        queries: {
          committed: `sum(${rateOfServers('mongodb_ss_transactions_totalCommitted')})`,
          aborted: `sum(${rateOfServers('mongodb_ss_transactions_totalAborted')})`,
        },
      },
      {
        title: 'Cache',
        description:
          'Share of the cache that is used, and that waits to be written to disk. Above 0.95 and 0.2 operations wait.',
        unit: 'percentunit',
        queries: {
          '{{instance}} used': `${ofServers('mongodb_ss_wt_cache_bytes_currently_in_the_cache')} / ${ofServers('mongodb_ss_wt_cache_maximum_bytes_configured')}`,
          '{{instance}} unwritten': `${ofServers('mongodb_ss_wt_cache_tracked_dirty_bytes_in_the_cache')} / ${ofServers('mongodb_ss_wt_cache_maximum_bytes_configured')}`,
        },
      },
      {
        title: 'Operations that wait',
        description: 'Reads and writes that wait for a lock. More than a handful for longer: the server is overloaded.',
        queries: [sumBy('count_type', ofServers('mongodb_ss_globalLock_currentQueue', 'count_type!="total"'))],
      },
    ]),
  ],
};
