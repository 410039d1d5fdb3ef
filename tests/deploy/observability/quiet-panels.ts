const NEVER_RIGHT = 'an invariant of money, which nothing on that day may break';

/** Panels (board: panel) that may show only 0 after the scripted day, and why. */
export const MAY_BE_ZERO: Readonly<Record<string, string>> = {
  'Canary: Orders before the stop': 'the stop arrives before the first order, unless the machine is slow',
  'Jobs: Past the deadline and undecided': "only the chain's clock passes deadlines, not the services' clock",
  'Jobs: Wait for room': 'the day has fewer jobs than would fill a minute',
  'Services: Outbox age': 'while NATS is away a service takes longer to show its figures than a scrape waits',
  'Orders: Faults and refusals': 'an execution tick fails only if the database fails during it',
  'Orders: Slippage to quote': 'no one else trades in the local pools',
  'Orders: Reverted orders': 'no one else trades in the local pools',
  'Overview: Failed ticks and events': 'an execution tick fails only if the database fails during it',
  'Overview: Ledgers that differ': NEVER_RIGHT,
  'Overview: Oldest uncredited': 'deposits are credited a block later, between two readings',
  'Overview: Oldest unsent event': 'while NATS is away a service takes longer to show its figures than a scrape waits',
  'Overview: Past the deadline': "only the chain's clock passes deadlines, not the services' clock",
  'Payments: Age of the oldest uncredited': 'deposits are credited a block later, between two readings',
  'Payments: Blocks to scan': 'the watcher catches up between two scrapes',
  'Payments: Seen and not credited': 'deposits are credited a block later, between two readings',
  'Payments: Reorganised and lost blocks': 'the local chain is never reorganised',
  'RPC health: Exchanges set aside': 'every exchange of the local registry is correct',
  'RPC health: Waiting for a turn': 'a node of our own sets no limit',
  'SLO: Budget of jobs that begin late: burn': 'every job begins within a minute',
  'SLO: Budget of ledgers that differ from the chain: burn': NEVER_RIGHT,
  'SLO: Budget of returns that are late: burn': 'all is returned within seconds',
  'Wallets and nonces: Executions without an owner': 'wallets are taken on within a second',
  'Wallets and nonces: Leases lost': 'a killed process does not notice that its leases end',
  'Wallets and nonces: Ledger against chain': 'a surplus needs money between two ticks, without another event',
  'Wallets and nonces: Missing nonces': NEVER_RIGHT,
  'Wallets and nonces: Replaced and reverted':
    'transactions come through at their first fee, unless gas rises in between',
  'Wallets and nonces: Signing errors': NEVER_RIGHT,
  'Wallets and nonces: Wallets stopped by drift': NEVER_RIGHT,
};
