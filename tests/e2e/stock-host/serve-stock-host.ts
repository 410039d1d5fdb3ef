import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { remoteGlobal, STANDARD_CONTAINER } from '@maker/web-kit';
import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack';
import { type Configuration, HtmlRspackPlugin, rspack } from '@rspack/core';
import { listen } from '../../support/listen.ts';

/** A page of a third party, on its own origin. */
export interface StockHost {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Builds and serves a federation host from the documentation of `@module-federation/enhanced`. It knows only the addresses of two
 * manifests of the product.
 * @param siteUrl of the site with the remotes
 */
export async function serveStockHost(siteUrl: string): Promise<StockHost> {
  const folder = await mkdtemp(join(tmpdir(), 'maker-host-'));
  await build(siteUrl, folder);
  const server = createServer(async (request, response) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '');
    const content = await readFile(join(folder, path)).catch(() => undefined);
    // There is no icon, which browsers request automatically.
    if (!content) response.statusCode = path === '/favicon.ico' ? 204 : 404;
    response.setHeader('content-type', extname(path) === '.html' ? 'text/html' : 'text/javascript');
    response.end(content);
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function build(siteUrl: string, folder: string): Promise<void> {
  const manifestOf = (name: 'terms' | 'token') =>
    `${remoteGlobal(name)}@${siteUrl}/remotes/${name}/${STANDARD_CONTAINER}/mf-manifest.json`;
  const configuration: Configuration = {
    mode: 'production',
    context: import.meta.dirname,
    entry: './main.ts',
    output: { path: folder },
    module: { rules: [{ test: /\.ts$/, loader: 'builtin:swc-loader', type: 'javascript/auto' }] },
    plugins: [
      new HtmlRspackPlugin(),
      new ModuleFederationPlugin({
        name: 'stock_host',
        remotes: { terms: manifestOf('terms'), token: manifestOf('token') },
        shared: { react: { singleton: true }, 'react-dom': { singleton: true } },
        dts: false,
      }),
    ],
  };
  const compiler = rspack(configuration);
  const stats = await promisify(compiler.run.bind(compiler))();
  await promisify(compiler.close.bind(compiler))();
  if (stats?.hasErrors()) throw new Error(stats.toString('errors-only'));
}
