import { SERVICE_FILE_PATH, type ServiceFile, serviceFileSchema } from '@maker/contracts';
import { type Address, type Hex, recoverMessageAddress } from 'viem';
import { canonicalText } from '../file/content-hash.ts';
import { signerOf } from '../file/signer-of.ts';
import type { NamedService } from '../verify/evidence.ts';

/** Longest wait for the file of a service, ms. */
const TIMEOUT_MS = 10_000;

/** The site does not name its service, so the receipt was not judged. */
export class ServiceSilentError extends Error {
  constructor(host: string, reason: string, cause?: unknown) {
    super(`the service ${host} cannot be read: ${reason}`, { cause });
    this.name = 'ServiceSilentError';
  }
}

/** Parses the typed address of a service's site. @returns undefined if it is no https address, or http on this machine */
export function readServiceUrl(typed: string): URL | undefined {
  const url = URL.canParse(typed.trim()) ? new URL(typed.trim()) : undefined;
  const isLocal = url?.protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(url.hostname);
  return url?.protocol === 'https:' || isLocal ? url : undefined;
}

/** Reads what a site says about its service. TLS proves the host. @throws ServiceSilentError */
export async function readService(url: URL): Promise<NamedService> {
  const { host } = url;
  const file = await fileAt(url);
  const { identity, ...signed } = file;
  if (!identity) return { host, ...signed };
  const signature = identity.signature as Hex;
  const signer = await signerOf(recoverMessageAddress({ message: canonicalText(signed), signature }));
  if (signer !== identity.address) throw new ServiceSilentError(host, 'its identity did not sign its file');
  return { host, ...signed, identity: identity.address as Address };
}

async function fileAt(url: URL): Promise<ServiceFile> {
  const { host } = url;
  const answer = await fetch(new URL(SERVICE_FILE_PATH, url), {
    // The host that the reader named must answer itself.
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new ServiceSilentError(host, error instanceof Error ? error.message : String(error), error);
  });
  if (!answer.ok) throw new ServiceSilentError(host, `${SERVICE_FILE_PATH} answers with status ${answer.status}`);
  const parsed = serviceFileSchema.safeParse(await answer.json().catch(() => undefined));
  if (!parsed.success) throw new ServiceSilentError(host, `${SERVICE_FILE_PATH} is no file of a service`);
  return parsed.data;
}
