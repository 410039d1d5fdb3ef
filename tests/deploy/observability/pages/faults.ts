import { HYPEREVM_CLOCK, type RunningStack, type ServiceName } from '@maker/local-stack';
import type { FaultyNetwork } from '../../../support/faulty-network.ts';
import { ProductClient } from '../../../support/product-client.ts';
import type { ShownSite } from '../shown-site.ts';
import { FAULTS_BY_PAGE } from './faults-by-page.ts';

/** Servers that services reach through a faulty network. */
export type Server = 'mongod' | 'nats-server' | 'chain';

/** A fault of a stack, and the one page that it must cause. */
export interface Fault {
  readonly name: string;
  /** Effect on the visitor or the payer. */
  readonly alert: keyof typeof FAULTS_BY_PAGE;
  inject(): Promise<void>;
  mend(): Promise<void>;
}

/** Every fault, the ones with the longest delay to a page first. */
export function faults(
  running: RunningStack,
  networks: ReadonlyMap<Server, FaultyNetwork>,
  site: ShownSite,
): readonly Fault[] {
  const unreached = (server: Server) => ({
    inject: async () => networks.get(server)?.set({ kind: 'reset' }),
    mend: async () => networks.get(server)?.set({ kind: 'none' }),
  });
  const missing = (service: ServiceName) => ({
    inject: () => running.kill(service, 'SIGKILL'),
    mend: () => running.restart(service),
  });
  const blocks = (ms: number) => new ProductClient(running.stack).control.setBlockInterval(ms);
  const made: Readonly<Record<string, Pick<Fault, 'inject' | 'mend'>>> = {
    'no RPC endpoint is reached': unreached('chain'),
    'the chain stands still': { inject: () => blocks(0), mend: () => blocks(HYPEREVM_CLOCK.blockMs) },
    'MongoDB is not reached': unreached('mongod'),
    'payment-watcher is not there': missing('payment-watcher'),
    'NATS is not reached': unreached('nats-server'),
    'job is not there': missing('job'),
    'token-validation is not there': missing('token-validation'),
    'maker-executor is not there': missing('maker-executor'),
    'api-gateway is not there': missing('api-gateway'),
    'the site is not there': { inject: () => site.down(), mend: () => site.up() },
  };
  return Object.entries(FAULTS_BY_PAGE).flatMap(([alert, names]) =>
    names.map((name) => {
      const done = made[name];
      if (!done) throw new Error(`no action for: ${name}`);
      return { name, alert: alert as Fault['alert'], ...done };
    }),
  );
}
