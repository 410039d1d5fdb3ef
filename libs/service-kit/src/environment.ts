import { readFile } from 'node:fs/promises';
import { InvalidAmountError, parseHype } from '@maker/rules';
import { z } from 'zod';

/** An amount in HYPE as a decimal; parses to wei. */
export const hypeAmount = z.string().transform((text, context) => {
  try {
    return parseHype(text);
  } catch (error) {
    if (!(error instanceof InvalidAmountError)) throw error;
    context.addIssue({ code: 'custom', message: 'must be an amount in HYPE, such as 10 or 0.5' });
    return z.NEVER;
  }
});

/** Environment variables of every service; spread it into the service's own schema. */
export const commonEnvironment = {
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
  /** Address that all ports of the service listen on. Empty: all of IPv6 and IPv4, or of IPv4 where the kernel has no IPv6, as Node decides. */
  LISTEN_HOST: z.string().default(''),
  /** Port of /livez, /readyz and /metrics. */
  OPS_PORT: z.coerce.number().int().min(0).max(65_535),
  /** Time between the first failing /readyz and the end of new work at shutdown, ms. */
  SHUTDOWN_DRAIN_MS: z.coerce.number().int().nonnegative().default(5000),
} as const;

/** The parsed {@link commonEnvironment}. */
export type CommonConfiguration = z.infer<z.ZodObject<typeof commonEnvironment>>;

/** Parses 'a,b,c' to a list without empty entries. */
export const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ''),
);

/** Names every missing or wrong variable, never its value: it may be a secret. */
export class ConfigurationError extends Error {
  readonly code = 'CONFIGURATION';

  constructor(readonly problems: readonly string[]) {
    super(`Configuration is not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigurationError';
  }
}

/**
 * Reads the file that a variable names, such as one of a Secret.
 * @throws ConfigurationError that names variable and path, never the file's content
 */
export async function readConfiguredFile(variable: string, path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError([`${variable}: ${path} cannot be read (${error.code ?? 'unknown error'})`]);
  });
}

/**
 * Parses the environment of a service.
 * @throws ConfigurationError naming each missing or malformed variable
 */
export function parseConfiguration<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  environment: NodeJS.ProcessEnv,
): z.infer<z.ZodObject<Shape>> {
  // Helm and compose write an empty variable for 'not set'.
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(present, { reportInput: false });
  if (parsed.success) return parsed.data;
  throw new ConfigurationError(
    parsed.error.issues.map((issue) => {
      const name = issue.path.join('.');
      const missing = issue.path.length === 1 && present[String(issue.path[0])] === undefined;
      return missing ? `${name} is missing` : `${name}: ${issue.message}`;
    }),
  );
}

/** Parses `process.env`. On an error, prints the wrong variables on standard error and exits with status 1. */
export function loadConfiguration<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
): z.infer<z.ZodObject<Shape>> {
  try {
    return parseConfiguration(schema, process.env);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
