import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import { ConfigurationError } from './environment.ts';

/** A file that may change in place, and what to do with it. */
export interface WatchedFileOptions<Value> {
  readonly path: string;
  /** The setting that holds the path, for errors. */
  readonly setting: string;
  /** What it is in the log, such as `API key file`. */
  readonly title: string;
  /** @throws ConfigurationError that says what is wrong, never what the file holds */
  readonly parse: (text: string) => Value;
  /** Told at each reading whether the file is in use as it is now. */
  readonly onRead: (isRefused: boolean) => void;
  readonly logger: Logger;
}

/**
 * What a file holds that may change in place, as a mounted Secret does. A file that cannot be used leaves the value as it is. Read it
 * again every few seconds: a mounted Secret is replaced by links, of which not every file system tells.
 */
export class WatchedFile<Value> {
  private current: Value;
  private text: string;
  private refusal: string | undefined;

  /** @throws ConfigurationError when the file cannot be used from the start */
  constructor(private readonly options: WatchedFileOptions<Value>) {
    this.text = this.read();
    this.current = options.parse(this.text);
    options.onRead(false);
  }

  get value(): Value {
    return this.current;
  }

  /** @returns whether the value has changed */
  reload(): boolean {
    const { parse, onRead, title, logger } = this.options;
    try {
      const text = this.read();
      const isChanged = text !== this.text;
      if (isChanged) this.current = parse(text);
      this.text = text;
      this.refusal = undefined;
      onRead(false);
      return isChanged;
    } catch (error) {
      const refusal = String(error);
      if (refusal !== this.refusal) logger.error({ err: error }, `${title} rejected, keeping what it held before`);
      this.refusal = refusal;
      onRead(true);
      return false;
    }
  }

  private read(): string {
    try {
      return readFileSync(this.options.path, 'utf8');
    } catch {
      throw new ConfigurationError([`${this.options.setting} cannot be read`]);
    }
  }
}
