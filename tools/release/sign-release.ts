import { join } from 'node:path';
import type { RunStep } from './run-step.ts';

/** A key pair for cosign. */
export interface SigningKey {
  /** As `cosign --key` takes it: a file, `env://VARIABLE`, or a key of a KMS. */
  readonly key: string;
  readonly password: string;
}

/** Makes a key pair for a single dry run. */
export async function throwAwayKey(run: RunStep, cosign: string, folder: string): Promise<SigningKey> {
  const prefix = join(folder, 'throw-away');
  const environment = { COSIGN_PASSWORD: '' };
  await run(cosign, ['generate-key-pair', '--output-key-prefix', prefix], { environment });
  return { key: `${prefix}.key`, password: '' };
}

/** Signs the pushed artefacts and the checksums of the files, with the script for machines without the product's packages. */
export async function signRelease(run: RunStep, cosign: string, { key, password }: SigningKey, folder: string) {
  const environment = { COSIGN: cosign, COSIGN_KEY: key, COSIGN_PASSWORD: password };
  await run('sh', [join(import.meta.dirname, 'sign.sh'), folder], { environment });
}
