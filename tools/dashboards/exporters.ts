/** An exporter that the platform runs for its servers, and its series that our alerts use. */
export interface Exporter {
  readonly name: string;
  /** How to run it, so that its series have these names; continues 'Run …'. */
  readonly how: string;
  /** Address of its publisher's board. */
  readonly board: string;
  /** Labels that alerts use, by series. */
  readonly series: Readonly<Record<string, readonly string[]>>;
}

/** Percona's exporter. */
export const MONGODB_EXPORTER: Exporter = {
  name: 'mongodb_exporter',
  board: 'https://github.com/percona/grafana-dashboards',
  how: 'with `--collector.diagnosticdata --collector.replicasetstatus --compatible-mode`',
  series: {
    mongodb_rs_members_optimeDate: ['member_idx'],
    mongodb_mongod_replset_oplog_head_timestamp: [],
    mongodb_mongod_replset_oplog_tail_timestamp: [],
  },
};

/** The program that renews certificates; only an alert uses its series. */
const CERT_MANAGER: Exporter = {
  name: 'cert-manager',
  board: 'https://github.com/cert-manager/cert-manager/tree/master/contrib',
  how: 'as its chart does with `prometheus.servicemonitor.enabled`',
  series: { certmanager_certificate_expiration_timestamp_seconds: ['name', 'exported_namespace'] },
};

/** All exporters. */
export const EXPORTERS: readonly Exporter[] = [MONGODB_EXPORTER, CERT_MANAGER];
