import { WEBHOOK_EVENTS, WEBHOOKS_ONLY_IF_NAMED, webhookEndpointNameSchema } from '@maker/contracts';
import { ConfigurationError } from '@maker/service-kit';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';

/** A receiver of webhooks. */
export interface Endpoint {
  readonly name: string;
  readonly url: URL;
  /** The first is the receiver's secret; a second one also signs during a rotation. */
  readonly secrets: readonly string[];
  /** Names of API keys: it receives messages about their jobs only. Absent: about all jobs. */
  readonly keys?: readonly string[] | undefined;
  /** Types of events that it receives. Absent: all but those that only a name selects. */
  readonly events?: readonly string[] | undefined;
}

/** The choice of an endpoint. */
export type EndpointChoice = Pick<Endpoint, 'keys' | 'events'>;

/** Allowed length of a secret, bytes. Source: Standard Webhooks. */
const LEAST_SECRET_BYTES = 24;
const MOST_SECRET_BYTES = 64;

const WEBHOOK_TYPES = WEBHOOK_EVENTS.map(({ contract }) => contract.type);

const secretSchema = z.string().refine(isSecret, 'must be whsec_ and the base64 of 24 to 64 bytes');

const fileSchema = z
  .array(
    z.strictObject({
      name: webhookEndpointNameSchema,
      url: z.url('must be a URL').transform((url) => new URL(url)),
      secrets: z.array(secretSchema).min(1).max(2),
      keys: z.array(z.string().min(1)).min(1).optional(),
      events: z.array(z.enum(WEBHOOK_TYPES)).min(1).optional(),
    }),
  )
  .refine(
    (endpoints) => new Set(endpoints.map(({ name }) => name)).size === endpoints.length,
    'has two endpoints with the same name',
  );

/**
 * Parses the endpoints of a file. Error messages never contain a URL or a secret.
 * @param plainHttp whether `http:` is allowed, for use on one machine
 * @throws ConfigurationError
 */
export function parseEndpoints(text: string, plainHttp: boolean): Endpoint[] {
  const parsed = fileSchema.safeParse(parseJson(text), { reportInput: false });
  if (!parsed.success) {
    throw refused(parsed.error.issues.map((issue) => `${['', ...issue.path].join('/')} ${issue.message}`));
  }
  const faults = parsed.data.flatMap(({ name, url }) => {
    if (url.username !== '' || url.password !== '') return `the URL of ${name} has a user or a password`;
    if (url.protocol === 'https:' || (plainHttp && url.protocol === 'http:')) return [];
    return `the URL of ${name} is not https`;
  });
  if (faults.length > 0) throw refused(faults);
  return parsed.data;
}

/** Whether an endpoint receives an event of a job. */
export function receives({ keys, events }: EndpointChoice, type: string, apiKeyName: string | undefined): boolean {
  const isOfKey = !keys || (apiKeyName !== undefined && keys.includes(apiKeyName));
  return isOfKey && (events?.includes(type) ?? !WEBHOOKS_ONLY_IF_NAMED.includes(type));
}

/** Returns the Standard Webhooks headers of a message, signed with every secret of the endpoint. */
export function signatureHeaders(
  secrets: readonly string[],
  message: { readonly id: string; readonly body: string },
  at: Date,
): Readonly<Record<string, string>> {
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(message.id, at, message.body)).join(' '),
  };
}

function isSecret(text: string): boolean {
  const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  if (base64 === undefined || base64.length % 4 !== 0) return false;
  const bytes = Buffer.from(base64, 'base64').length;
  return bytes >= LEAST_SECRET_BYTES && bytes <= MOST_SECRET_BYTES;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the text around the fault.
    throw refused(['is not JSON']);
  }
}

const refused = (faults: readonly string[]) =>
  new ConfigurationError(faults.map((fault) => `WEBHOOK_ENDPOINTS_FILE: ${fault}`));
