import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A program of this folder in its own process, which answers messages one at a time. */
export class Child {
  private readonly process: ChildProcess;

  constructor(program: string, args: readonly string[] = []) {
    this.process = fork(join(import.meta.dirname, program), [...args], { execArgv: ['--conditions=@maker/source'] });
  }

  /** The next message of the process. @throws Error if it ends first */
  async next<Message>(): Promise<Message> {
    const listening = new AbortController();
    const { signal } = listening;
    const ended = once(this.process, 'exit', { signal }).then(([code]) => {
      throw new Error(`${this.process.spawnargs.at(1)} ended with ${code}`);
    });
    try {
      const [message] = (await Promise.race([once(this.process, 'message', { signal }), ended])) as [Message];
      return message;
    } finally {
      ended.catch(() => undefined);
      listening.abort();
    }
  }

  /** Sends a message and waits for the answer. */
  ask<Message>(message: object): Promise<Message> {
    const answer = this.next<Message>();
    this.process.send(message);
    return answer;
  }

  /** Disconnects from the process, which then ends. */
  stop(): void {
    if (this.process.connected) this.process.disconnect();
  }
}
