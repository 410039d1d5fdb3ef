import type { BlockSources } from '../chain/block-producer.ts';
import type { BlockRecord } from '../chain/block-record.ts';
import type { ExecutionCall } from '../execution/execution.ts';
import type { Range } from '../rules/block-heights.ts';
import type { Switches } from '../rules/switches.ts';

/** The state and settings that answers use. */
export interface Sources extends BlockSources {
  /** Accounts whose transactions go to big blocks; lower case. */
  bigBlockUsers: Set<string>;
}

/** The chain as one request sees it, from the node that answers it. */
export class View {
  readonly sources: Sources;
  readonly switches: Switches;
  readonly head: BlockRecord;

  constructor(sources: Sources, head: BlockRecord) {
    this.sources = sources;
    this.switches = sources.switches();
    this.head = head;
  }

  get range(): Range {
    const head = this.head.number;
    return { head, oldest: Math.max(0, head - this.switches.keptBlocks + 1) };
  }

  knows(height: number): boolean {
    return height <= this.range.head && height >= this.range.oldest;
  }
}

/**
 * How to answer one call: with a known result, or with anvil's. Without `put`, anvil's response is streamed unchanged.
 */
export type Route =
  | { result: unknown }
  | { forward: ExecutionCall; put?: (result: unknown) => unknown | Promise<unknown> };
