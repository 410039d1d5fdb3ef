import { join } from 'node:path';
import type { RunStep } from './run-step.ts';

/** A key pair by which cosign signs. */
export interface SigningKey {
  /** As `cosign --key` takes it: a file, `env://VARIABLE`, or a key of a KMS. */
  readonly key: string;
  readonly password: string;
}

/** Makes a key pair that is used once, for a dry run without a key. */
export async function throwAwayKey(run: RunStep, cosign: string, folder: string): Promise<SigningKey> {
  const prefix = join(folder, 'throw-away');
  const environment = { COSIGN_PASSWORD: '' };
  await run(cosign, ['generate-key-pair', '--output-key-prefix', prefix], { environment });
  return { key: `${prefix}.key`, password: '' };
}

/** Signs what a release pushed and the sums of its files, by the script that a machine without the product's packages runs. */
export async function signRelease(run: RunStep, cosign: string, { key, password }: SigningKey, folder: string) {
  const environment = { COSIGN: cosign, COSIGN_KEY: key, COSIGN_PASSWORD: password };
  await run('sh', [join(import.meta.dirname, 'sign.sh'), folder], { environment });
}
