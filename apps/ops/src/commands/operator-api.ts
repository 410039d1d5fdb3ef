import { readFile } from 'node:fs/promises';
import { type ErrorBody, errorBodySchema } from '@maker/contracts';
import { CommandError, UsageError } from '../command-error.ts';

const TIMEOUT_MS = 30_000;

/** The API refused an operator's request; the message is the API's sentence. */
export class OperatorApiError extends CommandError {
  readonly code = 'OPERATOR_API_REFUSED';
  readonly status: number;

  constructor(status: number, { code, message }: Pick<ErrorBody, 'code' | 'message'>) {
    super(`${message} (${status}${code ? `, ${code}` : ''})`);
    this.status = status;
  }
}

type Query = Readonly<Record<string, string | undefined>>;

function operatorPath(path: string, query: Query = {}): string {
  const named = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) named.set(name, value);
  return `/operator${path}${named.size === 0 ? '' : `?${named}`}`;
}

/** A client of the API for operators, with a key of the scope `operator`. */
export class OperatorApi {
  readonly #apiUrl: string;
  readonly #apiKey: string;

  constructor(apiUrl: string, apiKey: string) {
    this.#apiUrl = apiUrl.replace(/\/$/, '');
    this.#apiKey = apiKey;
  }

  /**
   * Makes a client from `OPS_API_URL` and the file `OPS_API_KEY_FILE`. `npm run ops` sets both for the running local stack.
   * @throws UsageError if one of them is missing, or the file cannot be read
   */
  static async ofEnvironment(environment: NodeJS.ProcessEnv = process.env): Promise<OperatorApi> {
    const { OPS_API_URL: apiUrl, OPS_API_KEY_FILE: keyFile } = environment;
    if (!apiUrl && !keyFile) {
      throw new UsageError(
        'no API is named and no local stack is running: set OPS_API_URL and OPS_API_KEY_FILE, or start a stack with: npm start',
      );
    }
    if (!apiUrl || !keyFile) throw new UsageError('OPS_API_URL and OPS_API_KEY_FILE belong together: set both or none');
    const key = await readFile(keyFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw new UsageError(`OPS_API_KEY_FILE ${keyFile} cannot be read (${error.code ?? 'unknown error'})`);
    });
    return new OperatorApi(apiUrl, key.trim());
  }

  /** @param query without its undefined values @throws OperatorApiError */
  async get<Answer>(path: string, query?: Query): Promise<Answer> {
    return (await (await this.#ask('GET', operatorPath(path, query))).json()) as Answer;
  }

  /** The receipt file of a job: parsed JSON, not checked. @throws OperatorApiError */
  async receipt(jobId: string): Promise<unknown> {
    return (await this.#ask('GET', `/jobs/${encodeURIComponent(jobId)}/receipt.json`)).json();
  }

  /** Streams the text of an answer. @throws OperatorApiError */
  async *text(path: string, query: Query): AsyncGenerator<string> {
    const { body } = await this.#ask('GET', operatorPath(path, query));
    const decoder = new TextDecoder();
    for await (const chunk of body ?? []) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  }

  /** @throws OperatorApiError */
  async post<Answer>(path: string, body: object): Promise<Answer> {
    return (await (await this.#ask('POST', operatorPath(path), body)).json()) as Answer;
  }

  async #ask(method: 'GET' | 'POST', path: string, body?: object): Promise<Response> {
    const response = await fetch(`${this.#apiUrl}${path}`, {
      method,
      headers: { 'x-api-key': this.#apiKey, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new OperatorApiError(0, { message: `${this.#apiUrl} does not answer: ${reason}` });
    });
    if (response.ok) return response;
    const parsed = errorBodySchema.safeParse(await response.json().catch(() => undefined));
    throw new OperatorApiError(response.status, parsed.success ? parsed.data : { message: response.statusText });
  }
}
