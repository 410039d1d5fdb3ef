const NEVER_RIGHT = 'an invariant of money, which nothing on that day may break';

/** Panels (board: panel) that may show nothing but 0 after the scripted day, and why. */
export const MAY_BE_ZERO: Readonly<Record<string, string>> = {
  'Jobs: Past the deadline and undecided':
    "deadlines are passed by turning the chain's clock; the services' stands still",
  'MongoDB: Figures that could not be read': 'MongoDB and NATS run all day',
  'MongoDB: No connection': 'MongoDB runs all day',
  'MongoDB: Operations that wait': 'no operation waits on an idle server',
  'MongoDB: Replication lag': 'the local replica set has one member',
  'NATS: Found by the catch-up': 'the broker loses no event',
  'NATS: Lost connections': 'NATS runs all day',
  'NATS: Slow consumers': 'every client reads as fast as it is sent to',
  'NATS: Outbox age': 'events are published within milliseconds, between two scrapes',
  'Orders: Faults and refusals': 'every look at an execution succeeds',
  'Orders: Reverted orders': 'nobody else trades in the local pools',
  'Payments: Blocks to scan': 'the watcher catches up between two scrapes',
  'Payments: Seen and not credited': 'deposits are credited a block later, between two readings',
  'Payments: What the chain took back or the node lost': 'the local chain is never reorganised',
  'RPC health: Endpoints not in use': 'there is one endpoint, and it runs all day',
  'RPC health: Waiting for a turn': 'a node of our own sets no limit',
  'SLO: Latency budget burn': 'no read takes half a second on an idle machine',
  'Wallets and nonces: Executions without an owner': 'wallets are taken on within a second',
  'Wallets and nonces: Leases lost': 'a killed process does not notice that its leases end',
  'Wallets and nonces: Ledger against chain': NEVER_RIGHT,
  'Wallets and nonces: Missing nonces': NEVER_RIGHT,
  'Wallets and nonces: Replaced and reverted': 'transactions come through at their first fee',
  'Wallets and nonces: Signing errors': NEVER_RIGHT,
  'Wallets and nonces: Wallets stopped by drift': NEVER_RIGHT,
};
