import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderPages } from '../prerender.tsx';
import { findNewDeployment } from './new-deployment.ts';

const RUNNING = '/assets/shell.aaaaaaaaaaaa.js';
const NEWER = '/assets/shell.bbbbbbbbbbbb.js';
const page = (script: string) => renderPages({ scripts: [script], styles: [], federation: [] })['index.html'] ?? '';
const entry = (build: string) => `var maker_remote_token_build="${build}",maker_remote_token;(()=>{})()`;

let served: Record<string, string>;

beforeEach(() => {
  served = { '/': page(RUNNING), '/remotes/token/remoteEntry.js': entry('running') };
  vi.stubGlobal('document', { querySelector: () => ({ getAttribute: () => RUNNING }) });
  vi.stubGlobal('maker_remote_token_build', 'running');
  vi.stubGlobal('fetch', async (path: string) => {
    const body = served[path];
    return new Response(body ?? 'Not found', { status: body === undefined ? 404 : 200 });
  });
  vi.spyOn(console, 'info').mockReturnValue();
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('a new deployment under an open tab (design § 8)', () => {
  it('is detected by a new shell in the HTML', async () => {
    served['/'] = page(NEWER);
    expect(await findNewDeployment('token')).toBe(NEWER);
  });

  it('is detected by another build’s remote entry', async () => {
    served['/remotes/token/remoteEntry.js'] = entry('newer');
    expect(await findNewDeployment('token')).toBe('newer');
  });

  it('is not assumed when a remote is merely down', async () => {
    delete served['/remotes/token/remoteEntry.js'];
    expect(await findNewDeployment('token')).toBeUndefined();
    vi.stubGlobal('maker_remote_token_build', undefined);
    expect(await findNewDeployment('token')).toBeUndefined();
  });

  it('is ruled out when shell and entry match', async () => {
    expect(await findNewDeployment('token')).toBeUndefined();
  });

  it('is not assumed behind a captive portal', async () => {
    served = { '/': '<p>Log in</p>', '/remotes/token/remoteEntry.js': '<p>Log in</p>' };
    expect(await findNewDeployment('token')).toBeUndefined();
  });

  it('is not assumed without a connection', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    expect(await findNewDeployment('token')).toBeUndefined();
  });
});
