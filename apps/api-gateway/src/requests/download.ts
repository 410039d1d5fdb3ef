import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

/** A file that is streamed to whoever saves it, by the ending of its name. @param pieces in turn, as they are made */
export function download(name: `${string}.${'csv' | 'json'}`, pieces: AsyncIterable<string>): StreamableFile {
  return new StreamableFile(Readable.from(pieces), {
    type: `${name.endsWith('.csv') ? 'text/csv' : 'application/json'}; charset=utf-8`,
    disposition: `attachment; filename="${name}"`,
  });
}
