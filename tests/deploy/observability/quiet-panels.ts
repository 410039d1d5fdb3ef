const NEVER_RIGHT = 'an invariant of money, which nothing on that day may break';

/** Panels (board: panel) that may show nothing but 0 after the scripted day, and why. */
export const MAY_BE_ZERO: Readonly<Record<string, string>> = {
  'Canary: Orders before the stop': 'the stop is heard before the first order, unless the machine is slow',
  'Jobs: Past the deadline and undecided':
    "deadlines are passed by turning the chain's clock; the services' stands still",
  'Jobs: Wait for room': 'the day has fewer jobs than would fill a minute',
  'Services: Backlog': 'events are dealt with within milliseconds, between two scrapes',
  'Services: Found by the catch-up': 'the broker loses no event',
  'Services: Outbox age': 'while NATS is away a service takes longer to show its figures than a scrape waits',
  'Orders: Faults and refusals': 'no look at an execution fails, unless the database goes in the middle of one',
  'Orders: Slippage to quote': 'nobody else trades in the local pools',
  'Orders: Reverted orders': 'nobody else trades in the local pools',
  'Overview: Failed ticks and events': 'no look at an execution fails, unless the database goes in the middle of one',
  'Overview: Ledgers that differ': NEVER_RIGHT,
  'Overview: Oldest uncredited': 'deposits are credited a block later, between two readings',
  'Overview: Oldest unsent event': 'while NATS is away a service takes longer to show its figures than a scrape waits',
  'Overview: Past the deadline': "deadlines are passed by turning the chain's clock; the services' stands still",
  'Payments: Age of the oldest uncredited': 'deposits are credited a block later, between two readings',
  'Payments: Blocks to scan': 'the watcher catches up between two scrapes',
  'Payments: Seen and not credited': 'deposits are credited a block later, between two readings',
  'Payments: Reorganised and lost blocks': 'the local chain is never reorganised',
  'RPC health: Exchanges set aside': 'every exchange of the local registry is what it says',
  'RPC health: Waiting for a turn': 'a node of our own sets no limit',
  'SLO: Budget of jobs that begin late: burn': 'every job begins within a minute',
  'SLO: Budget of ledgers that differ from the chain: burn': NEVER_RIGHT,
  'SLO: Budget of returns that are late: burn': 'all is returned within seconds',
  'Wallets and nonces: Executions without an owner': 'wallets are taken on within a second',
  'Wallets and nonces: Leases lost': 'a killed process does not notice that its leases end',
  'Wallets and nonces: Ledger against chain':
    'a surplus is seen where money comes between two looks, and nothing else on that day',
  'Wallets and nonces: Missing nonces': NEVER_RIGHT,
  'Wallets and nonces: Replaced and reverted':
    'transactions come through at their first fee, unless gas rises in between',
  'Wallets and nonces: Signing errors': NEVER_RIGHT,
  'Wallets and nonces: Wallets stopped by drift': NEVER_RIGHT,
};
