import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ConfigurationError } from '@maker/service-kit';
import { z } from 'zod';

/** What an API key may be used for. */
export const API_KEY_SCOPES = ['public', 'operator'] as const;

/** One of {@link API_KEY_SCOPES}. */
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number];

/** Who asks: known by name, never by the key itself. */
export interface ApiKeyOwner {
  readonly name: string;
  readonly scopes: readonly ApiKeyScope[];
}

const apiKeyFileSchema = z
  .array(
    z.object({
      /** Two entries of one name are two live keys of one client, for rotation. */
      name: z.string().min(1).max(100),
      /** SHA-256 of the key in hexadecimal; the key itself is stored nowhere. */
      sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in lower case hexadecimal'),
      scopes: z.array(z.enum(API_KEY_SCOPES)).min(1),
    }),
  )
  .min(1);

/** One entry of the API key file. */
export type ApiKeyEntry = z.infer<typeof apiKeyFileSchema>[number];

const digest = (key: string) => createHash('sha256').update(key).digest();

/** The API keys that are let in. Keys are long random strings, so one SHA-256 keeps them; a slow hash would only cost. */
export class ApiKeys {
  private readonly known: readonly { readonly hash: Buffer; readonly owner: ApiKeyOwner }[];

  constructor(entries: readonly ApiKeyEntry[]) {
    this.known = entries.map(({ name, sha256, scopes }) => ({
      hash: Buffer.from(sha256, 'hex'),
      owner: { name, scopes },
    }));
  }

  /** Who owns a presented key. Compares with every hash, each in constant time, so that time tells nothing. */
  ownerOf(presented: string): ApiKeyOwner | undefined {
    const presentedHash = digest(presented);
    let owner: ApiKeyOwner | undefined;
    for (const key of this.known) {
      if (timingSafeEqual(key.hash, presentedHash)) owner = key.owner;
    }
    return owner;
  }
}

/** Reads the API key file. @throws ConfigurationError that says what is wrong, never what the file holds */
export function readApiKeys(path: string): ApiKeys {
  const parsed = apiKeyFileSchema.safeParse(parseFile(path), { reportInput: false });
  if (parsed.success) return new ApiKeys(parsed.data);
  throw new ConfigurationError(
    parsed.error.issues.map((issue) => `API_KEYS_FILE: ${['', ...issue.path].join('/')} ${issue.message}`),
  );
}

function parseFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    // A parser's message quotes the text around the fault; only the kind of fault is told.
    const problem = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read';
    throw new ConfigurationError([`API_KEYS_FILE ${problem}`]);
  }
}
