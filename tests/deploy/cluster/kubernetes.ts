import { type ChildProcess, spawn } from 'node:child_process';
import { freePort, waitUntil } from '@maker/local-stack';
import { findTool } from '../../../tools/go-tool.ts';
import { attempt, output, show } from './command.ts';

/** The product's namespace. */
export const NAMESPACE = 'maker';

/** The Helm release. */
export const RELEASE = 'maker';

const PROXY_READY_MS = 10_000;

/** Runs kubectl in the product's namespace. @returns its output */
export function kubectl(args: readonly string[], input?: string): Promise<string> {
  return output('kubectl', ['--namespace', NAMESPACE, ...args], input);
}

/** Runs helm in the product's namespace, and shows its output. */
export async function helm(args: readonly string[]): Promise<void> {
  await show(await findTool('helm'), [...args, '--namespace', NAMESPACE]);
}

/** Runs helm with an expected refusal. @returns all its output @throws Error if it succeeds */
export async function refusedByHelm(args: readonly string[]): Promise<string> {
  const { isDone, said } = await attempt(await findTool('helm'), [...args, '--namespace', NAMESPACE]);
  if (isDone) throw new Error(`helm ${args.join(' ')} was not refused:\n${said}`);
  return said;
}

/** A proxy to the cluster's Services from this machine, independent of pods. */
export interface ServiceProxy {
  /** URL of a Service's port, by the port's name. */
  urlOf(service: string, port: string): string;
  stop(): void;
}

/** Starts a proxy through the API server, as `kubectl proxy` does. */
export async function startServiceProxy(): Promise<ServiceProxy> {
  const port = await freePort();
  const child: ChildProcess = spawn('kubectl', ['proxy', '--port', String(port)], { stdio: 'ignore' });
  const base = `http://127.0.0.1:${port}`;
  const answers = async () => (await fetch(`${base}/readyz`)).ok;
  if (!(await waitUntil(answers, { timeoutMs: PROXY_READY_MS }))) {
    child.kill();
    throw new Error('kubectl proxy does not answer');
  }
  return {
    urlOf: (service, portName) => `${base}/api/v1/namespaces/${NAMESPACE}/services/http:${service}:${portName}/proxy`,
    stop: () => void child.kill(),
  };
}

/** Creates or replaces a Secret. */
export async function applySecret(name: string, content: Readonly<Record<string, string>>): Promise<void> {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData: content };
  await kubectl(['apply', '--filename', '-'], JSON.stringify(secret));
}
