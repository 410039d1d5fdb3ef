import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger, parseConfiguration } from '@maker/service-kit';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AGREEMENT_ACCOUNT } from './agreed-answer.fixture.ts';
import { gatewayEnvironment } from './configuration.ts';
import { createHttpApplication } from './http-application.ts';

/** An API key of a test, in plain text. */
export interface TestedKey {
  readonly key: string;
  readonly name: string;
  readonly scopes: readonly ('public' | 'operator' | 'server')[];
}

/** Writes a file of API keys. @returns its path */
export function writeApiKeys(folder: string, keys: readonly TestedKey[]): string {
  const file = join(folder, 'keys.json');
  const stored = keys.map(({ key, ...rest }) => ({ ...rest, sha256: createHash('sha256').update(key).digest('hex') }));
  writeFileSync(file, JSON.stringify(stored));
  return file;
}

/**
 * Creates a gateway in this process that does not listen yet.
 * @param environment with `NATS_URL` and `API_KEYS_FILE` @param requestTimeoutMs timeout of requests to other services
 */
export function createGateway(
  environment: Readonly<Record<string, string>>,
  logger = createLogger('api-gateway', 'silent'),
  requestTimeoutMs?: number,
): Promise<NestFastifyApplication> {
  const own = {
    LISTEN_HOST: '127.0.0.1',
    OPS_PORT: '0',
    HTTP_PORT: '0',
    JOB_AGREEMENT_SIGNERS: AGREEMENT_ACCOUNT.address,
  };
  const configuration = parseConfiguration(gatewayEnvironment, { ...own, ...environment });
  return createHttpApplication(configuration, logger, requestTimeoutMs);
}
