/** One server-sent event. */
export interface ServerSentEvent {
  /** 'message' if the server sent none. */
  readonly type: string;
  readonly data: string;
}

/**
 * Reads server-sent events from the body of an answer and skips comments, which are heartbeats. `EventSource` cannot send the
 * API key's header. Ends when the server ends the stream, throws when the connection breaks.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = parseEvent(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parseEvent(block: string): ServerSentEvent | undefined {
  let type = 'message';
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [field, value = ''] = line.split(/: ?(.*)/s, 2);
    if (field === 'event') type = value;
    else if (field === 'data') data.push(value);
  }
  return data.length > 0 ? { type, data: data.join('\n') } : undefined;
}
