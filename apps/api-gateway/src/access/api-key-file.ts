import { ConfigurationError } from '@maker/service-kit';
import { z } from 'zod';

const apiKeyFileSchema = z
  .array(
    z.object({
      /** Two entries with one name are two valid keys of one client, for rotation. */
      name: z.string().min(1).max(100),
      /** SHA-256 of the key in hexadecimal; the key itself is stored nowhere. */
      sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in lower case hexadecimal'),
      /** `server`: only a server has the key, no browser. Without it and `operator`, anyone may know the key. */
      scopes: z.array(z.enum(['public', 'operator', 'server'])).min(1),
    }),
  )
  .min(1);

export type ApiKeyEntry = z.infer<typeof apiKeyFileSchema>[number];

export type ApiKeyScope = ApiKeyEntry['scopes'][number];

/** Parses the text of an API key file. @throws ConfigurationError that names the fault and never repeats the text of the file */
export function parseApiKeys(text: string): ApiKeyEntry[] {
  const parsed = apiKeyFileSchema.safeParse(parseJson(text), { reportInput: false });
  if (parsed.success) return parsed.data;
  throw new ConfigurationError(
    parsed.error.issues.map((issue) => `API_KEYS_FILE: ${['', ...issue.path].join('/')} ${issue.message}`),
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message would quote the text around the fault.
    throw new ConfigurationError(['API_KEYS_FILE is not JSON']);
  }
}
