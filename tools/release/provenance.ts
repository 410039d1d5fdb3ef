import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sources } from './check-out.ts';
import type { RunStep } from './run-step.ts';

/** A pushed image or chart. */
export interface Artefact {
  readonly name: string;
  /** `sha256:…` */
  readonly digest: string;
}

/** The builder, and the base of its images. */
export interface BuildPlace {
  /** URI of the builder; a reader of the provenance decides whether to trust it. */
  readonly builder: string;
  /** Base image; undefined: this machine's libraries. */
  readonly base: string | undefined;
  /** Path of crane. */
  readonly crane: string;
}

/** Name of the build process, which docs/releasing.md explains. */
const BUILD_TYPE = 'urn:hyperevm-maker-bot:release:v1';

/** SLSA version 1: https://slsa.dev/spec/v1.0/provenance */
const PREDICATE_TYPE = 'https://slsa.dev/provenance/v1';

type Dependency = { readonly name: string; readonly uri?: string; readonly digest?: Readonly<Record<string, string>> };

/** The inputs of a release, in SLSA's format. The same release gives the same bytes: it has no time and no run id. */
export interface Provenance {
  readonly buildDefinition: {
    readonly buildType: string;
    readonly externalParameters: Readonly<Record<string, string>>;
    readonly resolvedDependencies: readonly Dependency[];
  };
  readonly runDetails: { readonly builder: { readonly id: string } };
}

/** Collects the inputs of a release. */
export async function findProvenance(run: RunStep, sources: Sources, place: BuildPlace): Promise<Provenance> {
  const { base, builder, crane } = place;
  const sha256 = async (file: string) => ({ sha256: hash('sha256', await readFile(file)) });
  const baseDigest = base && (await run(crane, ['digest', base])).trim().replace('sha256:', '');
  return {
    buildDefinition: {
      buildType: BUILD_TYPE,
      externalParameters: { revision: sources.commit, version: sources.version, base: base ?? 'local-runtime' },
      resolvedDependencies: [
        { name: 'source', digest: { gitCommit: sources.commit } },
        { name: 'package-lock.json', digest: await sha256(join(sources.folder, 'package-lock.json')) },
        { name: 'node', uri: `pkg:generic/node@${process.versions.node}`, digest: await sha256(process.execPath) },
        ...(baseDigest ? [{ name: 'base', uri: `docker://${base}`, digest: { sha256: baseDigest } }] : []),
      ],
    },
    runDetails: { builder: { id: builder } },
  };
}

/** The provenance of one artefact, as an in-toto statement. */
export function statementOf({ name, digest }: Artefact, predicate: Provenance): object {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name, digest: { sha256: digest.replace('sha256:', '') } }],
    predicateType: PREDICATE_TYPE,
    predicate,
  };
}
