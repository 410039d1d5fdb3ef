import type { AlertCase } from './alert-case.ts';

const N = 'namespace="servers"';
const WEEK = 7 * 86_400;

const gone = (at: string) => ({
  series: { 'maker_service_up{namespace="n",component="job"}': '1x400' },
  at,
  fires: false,
});
/** promtool's clock starts at 1970, and so does the oplog. */
const oplog = (hours: number) => ({
  [`mongodb_mongod_replset_oplog_head_timestamp{${N},instance="m-0"}`]: `0+60x600`,
  [`mongodb_mongod_replset_oplog_tail_timestamp{${N},instance="m-0"}`]: `0x${hours * 60} 0+60x600`,
});
const certificate = (seconds: number, labels: string) => ({
  [`certmanager_certificate_expiration_timestamp_seconds{${labels},name="site-tls"}`]: `${seconds}x200`,
  'maker_service_up{namespace="n",component="job"}': '1x200',
});

/** Cases for the series of the servers' exporters. */
export const SERVER_CASES: readonly AlertCase[] = [
  {
    alert: 'MakerMongoReplicationLag',
    fires: {
      series: {
        [`mongodb_rs_members_optimeDate{${N},member_idx="m-0"}`]: '0+60000x60',
        [`mongodb_rs_members_optimeDate{${N},member_idx="m-1"}`]: '0+60000x5 300000x54',
      },
      at: '20m',
      labels: { namespace: 'servers', member_idx: 'm-1' },
      says: 'm-1 in servers is 15m 0s behind the newest member. If another member fails, writes wait.',
    },
    silent: {
      series: {
        [`mongodb_rs_members_optimeDate{${N},member_idx="m-0"}`]: '30000+60000x60',
        [`mongodb_rs_members_optimeDate{${N},member_idx="m-1"}`]: '0+60000x60',
      },
      at: '20m',
    },
    absent: gone('20m'),
  },
  {
    alert: 'MakerMongoOplogShort',
    fires: {
      series: oplog(1),
      at: '300m',
      labels: { namespace: 'servers', instance: 'm-0' },
      says: 'The oplog of m-0 holds 1h 1m 0s. A member that is down for longer must copy all data.',
    },
    // Young, but not short.
    silent: { series: oplog(9), at: '300m' },
    absent: gone('300m'),
  },
  {
    alert: 'MakerCertificateExpires',
    fires: {
      series: certificate(WEEK, 'namespace="cert-manager",exported_namespace="n"'),
      at: '120m',
      labels: { namespace: 'n', name: 'site-tls' },
      says: 'The certificate site-tls is valid for 6d 22h 0m 0s more and was not renewed. Clients refuse it afterwards.',
    },
    // A certificate of a namespace without the product.
    silent: { series: certificate(WEEK, 'namespace="other"'), at: '120m' },
    absent: gone('120m'),
  },
];
