import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

/** Streams a file as a download; its media type follows from the ending of its name. @param pieces in order, sent as they come */
export function download(name: `${string}.${'csv' | 'json'}`, pieces: AsyncIterable<string>): StreamableFile {
  return new StreamableFile(Readable.from(pieces), {
    type: `${name.endsWith('.csv') ? 'text/csv' : 'application/json'}; charset=utf-8`,
    disposition: `attachment; filename="${name}"`,
  });
}
