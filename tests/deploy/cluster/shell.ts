import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { findTool } from '../../../tools/go-tool.ts';

/** Arguments of bash for a page's command, as a reader runs it in the checkout; helm is the tests' own. */
export async function shellCommand(command: string, directory = WORKSPACE_ROOT): Promise<string[]> {
  return ['-c', `set -o pipefail; helm() { '${await findTool('helm')}' "$@"; }; cd '${directory}' && ${command}`];
}
