import { logQuietly, REMOTE_ENTRY_FILE, type RemoteName, remoteBuildGlobal } from '@maker/web-kit';

/** Time limit of a request about deployments, ms. */
const ANSWER_TIMEOUT_MS = 3_000;

/** The script whose name identifies the build of the shell, marked with `data-shell` in the HTML of every page. */
const SHELL_SCRIPT = /<script\s[^>]*data-shell[^>]*\ssrc="([^"]+)"/;

/**
 * Checks whether a part of the site failed because of a deployment while this page was open: the HTML served now names
 * another shell than the running one, or the remote's entry served now is of another build than the loaded one. A remote
 * that is merely down meets neither condition.
 * @returns a name of the deployment; undefined if there was none or the server does not answer
 */
export async function findNewDeployment(name: RemoteName): Promise<string | undefined> {
  return (await newShell()) ?? (await newRemote(name));
}

async function newShell(): Promise<string | undefined> {
  const running = document.querySelector('script[data-shell]')?.getAttribute('src');
  const served = SHELL_SCRIPT.exec((await read('/')) ?? '')?.[1];
  return served === running ? undefined : served;
}

async function newRemote(name: RemoteName): Promise<string | undefined> {
  const global = remoteBuildGlobal(name);
  const running: unknown = Reflect.get(globalThis, global);
  if (running === undefined) return undefined;
  const entry = await read(`/remotes/${name}/${REMOTE_ENTRY_FILE}`);
  const served = new RegExp(`${global}="([^"]+)"`).exec(entry ?? '')?.[1];
  return served === running ? undefined : served;
}

async function read(path: string): Promise<string | undefined> {
  try {
    const response = await fetch(path, { cache: 'no-cache', signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    return response.ok ? await response.text() : undefined;
  } catch (error) {
    logQuietly(`'${path}' not read in the check for a new deployment`, error);
    return undefined;
  }
}
