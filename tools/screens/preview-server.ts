import { readFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { clientConfigurationSchema } from '@maker/contracts';
import { REMOTES } from '@maker/local-stack';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { siteHandler } from '../../apps/site/src/site-handler.ts';
import { type PreviewedScreen, previews } from './screen-states.ts';

const PAGE_FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/screens': ['preview-page.html', 'text/html; charset=utf-8'],
  '/screens/page.js': ['preview-page.js', 'text/javascript'],
};

/** Path by which the page of previews reports the shown screen. One state for all, since only one person uses it. */
const CHOSEN = '/screens/chosen/';

/** Serves the built pages, with an API that answers for the chosen screen. */
export async function servePreviews(port: number): Promise<Server> {
  const url = `http://localhost:${port}`;
  const build = (app: string): string => join(WORKSPACE_ROOT, 'apps', app, 'dist', 'web');
  const site = siteHandler({
    configuration: clientConfigurationSchema.parse({
      apiBaseUrl: `${url}/api`,
      apiKey: 'of-nothing',
      botWalletAddress: `0x${'1'.repeat(40)}`,
    }),
    shell: build('shell'),
    remotes: Object.fromEntries(REMOTES.map((name) => [name, build(name)])),
    verify: build('verify-page'),
    watch: true,
  });
  let screen: PreviewedScreen | undefined;
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? '/';
    if (PAGE_FILES[path]) return void sendPageFile(PAGE_FILES[path], response);
    if (path.startsWith(CHOSEN)) {
      screen = previews().screens.find(({ name }) => name === path.slice(CHOSEN.length));
      return sendJson(response, 200, {});
    }
    if (path === '/screens/list.json') return sendJson(response, 200, previews().screens);
    if (path.startsWith('/api/')) return answerCall(`${request.method} ${path.slice('/api'.length)}`, screen, response);
    if (screen?.without && path.startsWith(`/remotes/${screen.without}/`)) return void response.destroy();
    // Allows the page of previews to show the site in a frame.
    const setHeader = response.setHeader.bind(response);
    response.setHeader = (name, value) =>
      setHeader(
        name,
        typeof value === 'string' ? value.replace("frame-ancestors 'none'", "frame-ancestors 'self'") : value,
      );
    site(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, 'localhost', resolve);
  });
  return server;
}

function answerCall(call: string, screen: PreviewedScreen | undefined, response: ServerResponse): void {
  const answer = screen?.answers?.[call] ?? previews().usual[call];
  if (answer === 'never') return;
  if (answer === undefined) {
    sendJson(response, 404, { error: 'Not Found', message: `No screen says what ${call} answers.` });
  } else if ('failure' in answer) {
    sendJson(response, Number(answer.failure), {});
  } else {
    sendJson(response, 200, answer);
  }
}

async function sendPageFile([file, type]: readonly [string, string], response: ServerResponse): Promise<void> {
  response.setHeader('content-type', type);
  response.end(await readFile(join(import.meta.dirname, file)));
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
