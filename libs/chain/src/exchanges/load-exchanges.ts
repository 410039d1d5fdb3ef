import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { InvalidExchangesError } from '../errors.ts';
import type { Exchange } from '../shapes/shapes.ts';
import { EXCHANGES, exchangesFileSchema } from './exchanges.ts';

/**
 * Loads the exchanges of a network: those of the file if one is given, else the built-in ones.
 * @param file path of a JSON file in the shape of {@link exchangesFileSchema}
 * @throws InvalidExchangesError with the file and its fault, or because the network needs a file
 */
export function loadExchanges(chainId: number, file?: string): readonly Exchange[] {
  if (file === undefined) {
    const builtIn = EXCHANGES[chainId];
    if (!builtIn) {
      throw new InvalidExchangesError(
        `Chain ${chainId} has no built-in exchanges: CHAIN_EXCHANGES_FILE must name a file`,
      );
    }
    return builtIn;
  }
  return parseExchanges(readJson(file), file);
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new InvalidExchangesError(
      `CHAIN_EXCHANGES_FILE ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      error,
    );
  }
}

function parseExchanges(content: unknown, file: string): readonly Exchange[] {
  const parsed = exchangesFileSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new InvalidExchangesError(
    `CHAIN_EXCHANGES_FILE ${file} is wrong: ${z.prettifyError(parsed.error)}`,
    parsed.error,
  );
}
