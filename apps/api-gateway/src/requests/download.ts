import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

/** Streams a file as a download. The extension of its name decides the media type. @param pieces of the file, in order */
export function download(name: `${string}.${'csv' | 'json'}`, pieces: AsyncIterable<string>): StreamableFile {
  return new StreamableFile(Readable.from(pieces), {
    type: `${name.endsWith('.csv') ? 'text/csv' : 'application/json'}; charset=utf-8`,
    disposition: `attachment; filename="${name}"`,
  });
}
