/** An exporter that the platform runs beside its servers, and the series that our boards read from it. */
export interface Exporter {
  readonly name: string;
  /** How it must be run, so that its series have these names: goes on from 'Run …'. */
  readonly how: string;
  /** Labels that boards use, by series. */
  readonly series: Readonly<Record<string, readonly string[]>>;
}

/** NATS's own exporter, with the names that the NATS chart gives it. */
export const NATS_EXPORTER: Exporter = {
  name: 'prometheus-nats-exporter',
  how: 'as the NATS chart does with `promExporter.enabled`: `-prefix=nats -varz -jsz=all`',
  series: {
    nats_varz_connections: [],
    nats_varz_in_msgs: [],
    nats_varz_out_msgs: [],
    nats_varz_mem: [],
    nats_varz_slow_consumers: [],
    nats_server_max_storage: ['server_name'],
    nats_server_total_message_bytes: ['server_name'],
    nats_stream_total_messages: ['stream_name', 'is_stream_leader'],
    nats_stream_total_bytes: ['stream_name'],
    nats_consumer_num_pending: ['stream_name', 'consumer_name'],
    nats_consumer_num_ack_pending: ['stream_name', 'consumer_name'],
    nats_consumer_num_redelivered: ['stream_name', 'consumer_name'],
  },
};

/** Percona's exporter. */
export const MONGODB_EXPORTER: Exporter = {
  name: 'mongodb_exporter',
  how: 'with `--collector.diagnosticdata --collector.replicasetstatus --compatible-mode`',
  series: {
    mongodb_ss_connections: ['conn_type'],
    mongodb_ss_opcounters: ['legacy_op_type'],
    mongodb_ss_opLatencies_latency: ['op_type'],
    mongodb_ss_opLatencies_ops: ['op_type'],
    mongodb_ss_globalLock_currentQueue: ['count_type'],
    mongodb_ss_transactions_totalCommitted: [],
    mongodb_ss_transactions_totalAborted: [],
    mongodb_ss_wt_cache_bytes_currently_in_the_cache: [],
    mongodb_ss_wt_cache_tracked_dirty_bytes_in_the_cache: [],
    mongodb_ss_wt_cache_maximum_bytes_configured: [],
    mongodb_rs_members_health: ['member_idx'],
    mongodb_rs_members_optimeDate: ['member_idx'],
    mongodb_mongod_replset_oplog_head_timestamp: [],
    mongodb_mongod_replset_oplog_tail_timestamp: [],
  },
};

/** Whoever renews certificates; an alert alone reads it. */
const CERT_MANAGER: Exporter = {
  name: 'cert-manager',
  how: 'as its chart does with `prometheus.servicemonitor.enabled`',
  series: { certmanager_certificate_expiration_timestamp_seconds: ['name', 'exported_namespace'] },
};

/** All of them. */
export const EXPORTERS: readonly Exporter[] = [NATS_EXPORTER, MONGODB_EXPORTER, CERT_MANAGER];
