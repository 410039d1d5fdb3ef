import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FailPoints } from './fail-point.ts';

type Publish = (subject: string, payload?: Uint8Array | string, ...more: unknown[]) => unknown;

/** Fail points around every message of NATS (after: it left the process): requests, answers, and doorbells of events. */
export function watchNats(points: FailPoints): void {
  const require = createRequire(import.meta.url);
  const core = require(join(dirname(require.resolve('@nats-io/nats-core')), 'protocol.js'));
  const publish: Publish = core.ProtocolHandler.prototype.publish;
  core.ProtocolHandler.prototype.publish = function (
    this: { flushPending(): void },
    subject: string,
    payload?: Uint8Array | string,
    ...more: []
  ) {
    const point = pointOf(subject);
    points.pass(point, 'before');
    publish.call(this, subject, payload, ...more);
    // Bytes in the socket's buffer arrive, even if the process dies.
    this.flushPending();
    points.pass(point, 'after');
  };
}

function pointOf(subject: string): string {
  if (subject.startsWith('_INBOX.')) return 'nats:answer';
  return subject.startsWith('events.') ? `nats:ring:${subject}` : `nats:request:${subject}`;
}
