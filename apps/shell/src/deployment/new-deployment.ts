import { logQuietly, REMOTE_ENTRY_FILE, type RemoteName, remoteBuildGlobal } from '@maker/web-kit';

/** A question about deployments that takes longer is given up, ms. */
const ANSWER_TIMEOUT_MS = 3_000;

/** The script whose name tells the build of the shell, marked so in the HTML of every page. */
const SHELL_SCRIPT = /<script\s[^>]*data-shell[^>]*\ssrc="([^"]+)"/;

/**
 * Finds out whether a part of the site failed because the site was deployed anew while this page was open. That is so when
 * the HTML served now names another shell than the one that runs, or when the remote's entry served now is of another build
 * than the one that was loaded. A remote that is merely down fulfils neither.
 * @returns a name of the deployment, or undefined when there was none or nobody could be asked
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
    logQuietly(`'${path}' could not be asked for a new deployment`, error);
    return undefined;
  }
}
