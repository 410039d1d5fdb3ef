import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@maker/local-stack';
import { parseConfiguration } from '@maker/service-kit';
import { siteEnvironment } from '../../../apps/site/src/configuration.ts';
import { type RunningSite, startSite } from '../../../apps/site/src/start-site.ts';

const HOST = '127.0.0.1';
const CLIENT = { apiBaseUrl: 'https://api.bot.example', botWalletAddress: '0x0', explorerUrl: '' };

/** The site in this process, with pages that need no build, on ports that it keeps over a restart. */
export class ShownSite {
  private running: RunningSite | undefined;

  private constructor(
    private readonly folder: string,
    private readonly opsPort: number,
  ) {}

  static async start(): Promise<ShownSite> {
    const folder = await mkdtemp(join(tmpdir(), 'maker-site-'));
    for (const build of ['shell', 'remotes', 'verify']) await mkdir(join(folder, build));
    await writeFile(join(folder, 'config.json'), JSON.stringify({ ...CLIENT, apiKey: 'public-key' }));
    const site = new ShownSite(folder, await freePort());
    await site.up();
    return site;
  }

  /** Address of its metrics. */
  get target(): string {
    return `http://${HOST}:${this.opsPort}`;
  }

  async up(): Promise<void> {
    const configuration = parseConfiguration(siteEnvironment, {
      LISTEN_HOST: HOST,
      HTTP_PORT: '0',
      OPS_PORT: String(this.opsPort),
      SITE_CONFIGURATION_FILE: join(this.folder, 'config.json'),
    });
    this.running = await startSite(configuration, { directory: this.folder });
  }

  async down(): Promise<void> {
    await this.running?.stop(0);
    this.running = undefined;
  }

  async stop(): Promise<void> {
    await this.down();
    await rm(this.folder, { recursive: true, force: true });
  }
}
