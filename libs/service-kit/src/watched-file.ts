import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import { ConfigurationError } from './environment.ts';

/** Options of a {@link WatchedFile}. */
export interface WatchedFileOptions<Value> {
  readonly path: string;
  /** The setting that holds the path, for errors. */
  readonly setting: string;
  /** Its name in the log, such as `API key file`. */
  readonly title: string;
  /** @throws ConfigurationError that names the problem, never the file's content */
  readonly parse: (text: string) => Value;
  /** Called at each reading, with whether the file as it is now was rejected. */
  readonly onRead: (isRefused: boolean) => void;
  readonly logger: Logger;
}

/**
 * The value of a file that may change in place, as a mounted Secret does. An invalid file leaves the value unchanged. Call
 * `reload` every few seconds: Kubernetes replaces a mounted Secret by links, and not every file system notifies of that.
 */
export class WatchedFile<Value> {
  private current: Value;
  private text: string;
  private refusal: string | undefined;

  /** @throws ConfigurationError when the initial file is invalid */
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
      if (refusal !== this.refusal) logger.error({ err: error }, `${title} rejected, keeping the previous content`);
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
