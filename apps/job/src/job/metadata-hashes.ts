import { hash } from 'node:crypto';
import type { JobMetadata } from '@maker/contracts';

/** Bytes of a hash: enough that no two entries have the same. */
const BYTES = 16;

/** Hashes of entries of metadata, by which jobs are searched: their index stays small, whatever strangers write. */
export function metadataHashes(metadata: JobMetadata): string[] {
  return Object.entries(metadata).map((entry) =>
    hash('sha256', JSON.stringify(entry), 'buffer').subarray(0, BYTES).toString('base64url'),
  );
}
