import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@maker/local-stack';
import { stringify } from 'yaml';
import { findTool } from '../../tools/go-tool.ts';
import type { LocalRegistry } from '../../tools/release/registry.ts';
import { until } from '../support/until.ts';

/**
 * The CNCF distribution registry, on which most others are based.
 * @param host name and port for other machines too; by default a port of this machine only
 */
export async function startOciRegistry(host?: string): Promise<LocalRegistry> {
  const program = await findTool('registry');
  const folder = await mkdtemp(join(tmpdir(), 'maker-oci-registry-'));
  const address = host ? `:${host.split(':').at(-1)}` : `127.0.0.1:${await freePort()}`;
  const name = host ?? address;
  const file = join(folder, 'registry.yaml');
  await writeFile(
    file,
    stringify({
      version: 0.1,
      log: { level: 'error' },
      storage: { filesystem: { rootdirectory: join(folder, 'data') } },
      http: { addr: address },
    }),
  );
  const child = spawn(program, ['serve', file], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  await until(
    'the registry',
    () =>
      fetch(`http://${name}/v2/`).then(
        ({ ok }) => ok,
        () => false,
      ),
    (isUp) => isUp,
  );
  return {
    host: name,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
