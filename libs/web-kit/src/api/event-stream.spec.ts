import { describe, expect, it } from 'vitest';
import { readEvents } from './event-stream.ts';

async function eventsOf(...chunks: readonly string[]) {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
      controller.close();
    },
  });
  const events = [];
  for await (const event of readEvents(body)) events.push(event);
  return events;
}

describe('readEvents', () => {
  it('reads events wherever the network cut them', async () => {
    expect(await eventsOf('event: sta', 'tus\ndata: {"a":1', '}\n', '\nevent: status\ndata: 2\n\n')).toEqual([
      { type: 'status', data: '{"a":1}' },
      { type: 'status', data: '2' },
    ]);
  });

  it('ignores heartbeats, ids and cut events', async () => {
    expect(await eventsOf(': heartbeat\n\n', 'id: 4\ndata: whole\n\n', 'data: half')).toEqual([
      { type: 'message', data: 'whole' },
    ]);
  });

  it('joins lines with either line end', async () => {
    expect(await eventsOf('data: one\r\ndata: two: three\r\n\r\n')).toEqual([
      { type: 'message', data: 'one\ntwo: three' },
    ]);
  });
});
