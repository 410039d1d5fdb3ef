import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FailPoints } from './fail-point.ts';

type Publish = (subject: string, payload?: Uint8Array | string, ...more: unknown[]) => unknown;

/**
 * Fail points around every event for JetStream (after: JetStream acknowledged it), and around every message of core NATS
 * (after: it left the process): requests, answers, and acknowledgements of events.
 */
export function watchNats(points: FailPoints): void {
  const require = createRequire(import.meta.url);
  const jetstream = require(join(dirname(require.resolve('@nats-io/jetstream')), 'jsclient.js'));
  const publishEvent: Publish = jetstream.JetStreamClientImpl.prototype.publish;
  jetstream.JetStreamClientImpl.prototype.publish = function (this: unknown, subject: string, ...more: []) {
    return points.around(`jetstream:${subject}`, async () => publishEvent.call(this, subject, ...more));
  };

  const core = require(join(dirname(require.resolve('@nats-io/nats-core')), 'protocol.js'));
  const publish: Publish = core.ProtocolHandler.prototype.publish;
  core.ProtocolHandler.prototype.publish = function (
    this: { flushPending(): void },
    subject: string,
    payload?: Uint8Array | string,
    ...more: []
  ) {
    const point = pointOf(subject, payload);
    if (point !== undefined) points.pass(point, 'before');
    publish.call(this, subject, payload, ...more);
    if (point === undefined) return;
    // Bytes in the socket's buffer arrive, even if the process dies.
    this.flushPending();
    points.pass(point, 'after');
  };
}

/** @returns undefined for a message that is not of the product */
function pointOf(subject: string, payload: Uint8Array | string | undefined): string | undefined {
  if (subject.startsWith('$JS.ACK.'))
    return `nats:acknowledge:${Buffer.from(payload ?? '')
      .toString()
      .slice(0, 4)}`;
  if (subject.startsWith('$JS.') || subject.startsWith('events.') || subject.startsWith('dead.')) return undefined;
  if (subject.startsWith('_INBOX.')) return 'nats:answer';
  return `nats:request:${subject}`;
}
