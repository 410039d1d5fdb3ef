import { type Board, colours, of, p95By, rate, row, rowOf, sumBy } from '../board.ts';

export const wallets: Board = {
  uid: 'maker-wallets',
  title: 'Maker / Wallets and nonces',
  description: 'Leases of wallets, their transactions, and their ledgers.',
  rows: [
    rowOf({ kind: 'stat', width: 6, thresholds: colours('green', ['red', 1]) }, 'Invariants: all of these are 0', {
      'Missing nonces': {
        description: 'Missing nonces below one in flight: no later transaction can be mined. Runbook nonce-gap.',
        queries: [`max(${of('maker_wallet_missing_nonces')})`],
      },
      'Wallets stopped by drift': {
        description: 'Wallets whose chain balance differs from their ledger. Runbook ledger-drift.',
        queries: [`max(${of('maker_wallet_ledger_drifting')})`],
      },
      'Executions without an owner': {
        description: 'Running executions minus wallets that a process has leased. Runbook wallets-unowned.',
        queries: [
          `sum(max by (phase) (${of('maker_execution_executions', 'phase=~"fee|trading|delivery|return"')})) - sum(${of('maker_wallet_owned')})`,
        ],
      },
      'Signing errors': {
        description: 'Transactions that the signing policy refused within the last hour. Runbook signing-refused.',
        decimals: 0,
        queries: [`sum(increase(${of('maker_wallet_signing_errors_total')}[1h]))`],
        thresholds: colours('green', ['red', 0.5]),
      },
    }),
    row('Transactions', {
      'Nonces in flight': {
        description: 'Signed transactions in no block, over all wallets. At most 8 per wallet.',
        queries: [`max(${of('maker_wallet_in_flight_nonces')})`],
      },
      'Oldest in flight': {
        description:
          'Age of the oldest signed transaction that is in no block. Above 3 min: runbook transaction-stuck.',
        unit: 's',
        queries: [`max(${of('maker_wallet_oldest_unconfirmed_seconds')})`],
        thresholds: colours('green', ['red', 180]),
      },
      'Signature to block': {
        description: '95th percentile by purpose. One to three seconds is normal.',
        unit: 's',
        queries: [p95By('purpose', 'maker_wallet_confirmation_seconds')],
      },
      Broadcasts: {
        description: 'Answers of the node to signed bytes: accepted and known are good, unfunded and refused are not.',
        unit: 'ops',
        queries: [sumBy('answer', rate('maker_wallet_broadcasts_total'))],
      },
      'Replaced and reverted': {
        description:
          'Transactions per second signed again with a higher fee, and mined ones that were reverted, by purpose.',
        unit: 'ops',
        queries: {
          'replaced {{purpose}}': `sum by (purpose) (${rate('maker_wallet_replaced_total')})`,
          'reverted {{purpose}}': `sum by (purpose) (${rate('maker_wallet_reverted_total')})`,
        },
      },
      'Ledger against chain': {
        description:
          'Checks per hour that found too little (missing), too much (surplus) or an inconsistent ledger (broken).',
        queries: [sumBy('direction', rate('maker_wallet_ledger_drift_total'), ' * 3600')],
      },
    }),
    row('Wallets', {
      'Wallets by owner': {
        description: 'Wallets whose lease each process holds.',
        queries: { '{{instance}}': of('maker_wallet_owned') },
        stacked: true,
      },
      'HYPE in wallets': {
        description: 'Ledger balance of the wallets of running executions, which pays for gas and orders.',
        unit: 'suffix: HYPE',
        queries: [`max(${of('maker_wallet_balance_wei')}) / 1e18`],
      },
      'Leases lost': {
        description: 'Wallets and scanners that another process took over per hour. A few at a rollout are normal.',
        queries: {
          wallets: `sum(${rate('maker_wallet_lease_lost_total')}) * 3600`,
          'writes refused in {{job}}': `sum by (job) (${rate('maker_lease_lost_total')}) * 3600`,
        },
      },
    }),
  ],
};
