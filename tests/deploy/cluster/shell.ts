import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { findTool } from '../../../tools/go-tool.ts';
import { attempt } from './command.ts';

/** Runs a page's command in bash, as a reader does in the checkout; helm is the tests' own. @returns all its output, and whether it succeeded */
export async function tryInShell(
  command: string,
  directory = WORKSPACE_ROOT,
): Promise<{ isDone: boolean; said: string }> {
  // Without `command`, the function would call itself where the tests' helm is that of the PATH.
  const helm = `helm() { command '${await findTool('helm')}' "$@"; }`;
  return attempt('bash', ['-c', `set -o pipefail; ${helm}; cd '${directory}' && ${command}`]);
}

/** Runs a page's command as {@link tryInShell} does. @returns all its output @throws Error with all its output if it fails */
export async function runInShell(command: string, directory?: string): Promise<string> {
  const { isDone, said } = await tryInShell(command, directory);
  if (!isDone) throw new Error(`${command}\n${said}`);
  return said;
}
