import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Artefact } from './provenance.ts';
import type { RunStep } from './run-step.ts';

/** A key pair by which cosign signs. */
export interface SigningKey {
  /** As `cosign --key` takes it: a file, `env://VARIABLE`, or a key of a KMS. */
  readonly key: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** What is attested of an artefact: a file that holds the predicate, and what kind it is. */
export interface Attestation {
  readonly artefact: Artefact;
  readonly type: 'slsaprovenance1' | 'cyclonedx';
  readonly file: string;
}

/** Whoever verifies has the public key; nothing of a private repository is told to a public log. */
const NO_PUBLIC_LOG = '--tlog-upload=false';

/** Makes a key pair that is used once, where there is none to be trusted: in a dry run. */
export async function throwAwayKey(run: RunStep, cosign: string, folder: string): Promise<SigningKey> {
  const environment = { COSIGN_PASSWORD: '' };
  const prefix = join(folder, 'throw-away');
  await run(cosign, ['generate-key-pair', '--output-key-prefix', prefix], { environment });
  return { key: `${prefix}.key`, environment };
}

/** Signs artefacts where they were pushed, attests what is known of them beside them, and writes the public key to a file. */
export async function signArtefacts(
  run: RunStep,
  cosign: string,
  { key, environment }: SigningKey,
  what: { artefacts: readonly Artefact[]; attestations: readonly Attestation[]; publicKeyFile: string },
): Promise<void> {
  const step = (...args: string[]) => run(cosign, args, { environment });
  await writeFile(what.publicKeyFile, await step('public-key', '--key', key));
  for (const { reference } of what.artefacts) await step('sign', '--yes', '--key', key, NO_PUBLIC_LOG, reference);
  for (const { artefact, type, file } of what.attestations) {
    const predicate = ['--type', type, '--predicate', file];
    await step('attest', '--yes', '--key', key, NO_PUBLIC_LOG, ...predicate, artefact.reference);
  }
}

/** Signs a file; the signature lies beside it, with `.sig` behind its name. */
export async function signFile(
  run: RunStep,
  cosign: string,
  { key, environment }: SigningKey,
  file: string,
): Promise<void> {
  const args = ['sign-blob', '--yes', '--key', key, NO_PUBLIC_LOG, '--output-signature', `${file}.sig`, file];
  await run(cosign, args, { environment });
}
