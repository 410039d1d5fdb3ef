import type { WebhookData } from './api-types.ts';

/** One message. Repetitions of it have the same `id`. */
export type WebhookMessage = {
  [Type in keyof WebhookData]: {
    readonly id: string;
    readonly type: Type;
    readonly timestamp: string;
    readonly data: WebhookData[Type];
  };
}[keyof WebhookData];

/** Headers of a request, as in `node:http` or as `Headers`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The message is not from the service, or it is too old. Answer 400 and do not use it. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

const SECRET = /^whsec_(?<key>[A-Za-z0-9+/]+={0,2})$/;
/** Tolerance of Standard Webhooks: 5 minutes. */
const TOLERANCE_SECONDS = 300;

/**
 * Verifies the signature and age of a message, as Standard Webhooks specifies.
 * @param body bytes of the request as text, before any parsing
 * @param secrets one `whsec_…`, or several during a rotation
 * @param nowMs time of your clock
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(
  body: string,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  nowMs = Date.now(),
): Promise<WebhookMessage> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => headerOf(headers, name));
  if (!id || !timestamp || !signatures) throw new WebhookVerificationError('A header webhook-* is missing');
  const ageSeconds = Math.abs(nowMs / 1000 - Number(timestamp));
  if (!(ageSeconds <= TOLERANCE_SECONDS))
    throw new WebhookVerificationError('The message is not of the last 5 minutes');
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const secret of [secrets].flat()) {
    if (await isSigned(signed, signatures, secret)) return { id, ...JSON.parse(body) } as WebhookMessage;
  }
  throw new WebhookVerificationError('No secret verifies the signature');
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  const wanted = `webhook-${name}`;
  if (headers instanceof Headers) return headers.get(wanted) ?? undefined;
  const [, value] = Object.entries(headers).find(([one]) => one.toLowerCase() === wanted) ?? [];
  return typeof value === 'string' ? value : undefined;
}

async function isSigned(signed: BufferSource, signatures: string, secret: string): Promise<boolean> {
  const key = await importKey(secret);
  for (const signature of signatures.split(' ')) {
    const [version, text = ''] = signature.split(',');
    const bytes = version === 'v1' ? bytesOf(text) : undefined;
    // Compares in constant time.
    if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return true;
  }
  return false;
}

function importKey(secret: string): Promise<CryptoKey> {
  const bytes = bytesOf(SECRET.exec(secret)?.groups?.key ?? '');
  if (!bytes?.length) throw new TypeError('A secret of webhooks is whsec_ and base64');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
