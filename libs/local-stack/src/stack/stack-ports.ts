import { PortBusyError, UsageError } from '../errors.ts';
import { freePort, isPortFree } from '../processes/ports.ts';
import type { ServiceName } from './description.ts';

/** A port of the stack: its purpose and its default. */
interface PortRole {
  purpose: string;
  port: number;
}

const ROLES = {
  shell: { purpose: 'the web page', port: 4200 },
  api: { purpose: 'the API', port: 4201 },
  rpc: { purpose: "the chain's JSON-RPC", port: 4202 },
  mongo: { purpose: 'MongoDB', port: 4203 },
  nats: { purpose: 'NATS', port: 4204 },
  'chain-control': { purpose: 'what only a test may order of the chain', port: 4206 },
  execution: { purpose: 'anvil, which executes', port: 4207 },
  'api-gateway': { purpose: 'health and metrics of api-gateway', port: 4211 },
  'token-validation': { purpose: 'health and metrics of token-validation', port: 4212 },
  job: { purpose: 'health and metrics of job', port: 4213 },
  'payment-watcher': { purpose: 'health and metrics of payment-watcher', port: 4214 },
  'maker-executor': { purpose: 'health and metrics of maker-executor', port: 4215 },
  receipts: { purpose: 'health and metrics of receipts', port: 4218 },
  'webhook-sender': { purpose: 'health and metrics of webhook-sender', port: 4217 },
  site: { purpose: 'health and metrics of the site', port: 4216 },
} as const satisfies Record<string, PortRole> & Record<ServiceName, PortRole>;

export type PortName = keyof typeof ROLES;

export type StackPorts = Record<PortName, number>;

const NAMES = Object.keys(ROLES) as PortName[];

/** Name of the environment variable that moves a port, such as STACK_PORT_SHELL. */
function portVariable(name: PortName): string {
  return `STACK_PORT_${name.toUpperCase().replaceAll('-', '_')}`;
}

function chosenPort(name: PortName): number {
  const text = process.env[portVariable(name)];
  if (!text) return ROLES[name].port;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new UsageError(`${portVariable(name)}=${text} is not a port: expected a number from 1 to 65535`);
  }
  return port;
}

/**
 * The ports of a stack: the well-known ones, overridden by `STACK_PORT_…`, or free ones.
 * @throws PortBusyError for the first that another program holds
 */
export async function choosePorts(kind: 'fixed' | 'free'): Promise<StackPorts> {
  const entries: [PortName, number][] = [];
  for (const name of NAMES) {
    const port = kind === 'free' ? await freePort() : chosenPort(name);
    if (kind === 'fixed' && !(await isPortFree(port))) {
      throw new PortBusyError(port, ROLES[name].purpose, portVariable(name));
    }
    entries.push([name, port]);
  }
  return Object.fromEntries(entries) as StackPorts;
}
