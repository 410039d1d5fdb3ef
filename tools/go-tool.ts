import { execFile } from 'node:child_process';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cachedBinary } from '@maker/local-stack';

const run = promisify(execFile);
const INSTALL_TIMEOUT_MS = 900_000;

/** A program from a Go module. */
interface GoTool {
  /** Package of the program, for `go install`. */
  readonly module: string;
  readonly version: string;
  /** Environment variable with the path of another program to use instead. */
  readonly variable: string;
  /** Folder beside this file with a `go.mod` that pins all dependencies of the program. */
  readonly directory?: string;
}

/** Programs from Go modules, in the versions that this product is tested with. */
export const GO_TOOLS = {
  helm: { module: 'helm.sh/helm/v3/cmd/helm', version: 'v3.20.2', variable: 'HELM' },
  'helm-unittest': {
    module: 'github.com/helm-unittest/helm-unittest/cmd/helm-unittest',
    version: 'v0.8.2',
    variable: 'HELM_UNITTEST',
  },
  crane: {
    module: 'github.com/google/go-containerregistry/cmd/crane',
    version: 'v0.22.1',
    variable: 'CRANE',
  },
  cosign: { module: 'github.com/sigstore/cosign/v2/cmd/cosign', version: 'v2.6.5', variable: 'COSIGN' },
  registry: {
    module: 'github.com/distribution/distribution/v3/cmd/registry',
    version: 'v3.0.0',
    variable: 'OCI_REGISTRY',
  },
  k6: { module: 'go.k6.io/k6', version: 'v1.8.1', variable: 'K6' },
  sloth: { module: 'github.com/slok/sloth/cmd/sloth', version: 'v0.16.0', variable: 'SLOTH', directory: 'sloth' },
  nats: { module: 'github.com/nats-io/natscli/nats', version: 'v0.5.0', variable: 'NATS_CLI' },
  'helm-docs': { module: 'github.com/norwoodj/helm-docs/cmd/helm-docs', version: 'v1.14.2', variable: 'HELM_DOCS' },
} satisfies Record<string, GoTool>;

/**
 * Path of a program that `go` builds on first use, shared by all checkouts.
 * @param name with everything that its content depends on, such as a version
 * @param args arguments of go, which must write the program to `GOBIN`
 */
function madeByGo(name: string, args: (bin: string) => readonly string[], directory?: string): Promise<string> {
  const make = async (target: string, bin: string) => {
    await run('go', [...args(bin)], {
      cwd: directory,
      env: { ...process.env, GOBIN: bin, GOFLAGS: '-buildvcs=false' },
      timeout: INSTALL_TIMEOUT_MS,
    });
    await rename(join(bin, name.replace(/@.*$/, '')), target);
  };
  return cachedBinary(name, make, 'deploy-tools').catch((error) => {
    throw new Error(`cannot build ${name}; it needs Go on the PATH: ${String((error as Error).message)}`);
  });
}

/** Supported versions of helm 3; they all render the same. */
const HELM = /^v3\.(1[4-9]|[2-9]\d)\b/;

/** Whether the PATH has a supported helm, so that a platform team's machine needs no second one. */
async function isHelmOnPath(): Promise<boolean> {
  return run('helm', ['version', '--template', '{{.Version}}']).then(
    ({ stdout }) => HELM.test(stdout),
    () => false,
  );
}

/**
 * Path of helm, helm-unittest, helm-docs, crane, cosign, nats, registry, k6 or sloth: the one that the tool's variable names,
 * else the pinned version. Accepts a helm on the PATH from 3.14 on; the output of the others depends on their version.
 */
export async function findTool(name: keyof typeof GO_TOOLS): Promise<string> {
  const { module, version, variable, directory }: GoTool = GO_TOOLS[name];
  const chosen = process.env[variable];
  if (chosen) return chosen;
  if (name === 'helm' && (await isHelmOnPath())) return name;
  if (directory) return buildProgram(name, version, join(import.meta.dirname, directory), module);
  return madeByGo(`${name}@${version}`, () => ['install', '-trimpath', `${module}@${version}`]);
}

/**
 * Path of a program that is built in a folder with a `go.mod`.
 * @param fingerprint changes whenever the program changes
 * @param source package of the program; default: the folder's own
 */
export async function buildProgram(
  name: string,
  fingerprint: string,
  directory: string,
  source = '.',
): Promise<string> {
  return madeByGo(`${name}@${fingerprint}`, (bin) => ['build', '-trimpath', '-o', join(bin, name), source], directory);
}
