import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span from the exporter. */
export interface ExportedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** Traces that it is linked to. */
  readonly linkedTraceIds: readonly string[];
  readonly failed: boolean;
}

/** `STATUS_CODE_ERROR` of a span. */
const FAILED = 2n;

/** An OTLP/HTTP receiver that keeps the protobuf messages it receives. */
export class OtlpReceiver {
  readonly spans: ExportedSpan[] = [];
  /** All bodies as text, to check that they contain no secrets. */
  readonly bodies: string[] = [];
  readonly requests: { readonly path: string | undefined; readonly authorization: string | undefined }[] = [];

  private readonly server = createServer((request, response) => {
    bodyOf(request).then(
      (body) => {
        const { url: path, headers } = request;
        this.requests.push({ path, authorization: headers.authorization });
        this.bodies.push(body.toString());
        this.spans.push(...spansOf(body));
        response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
      },
      (error: unknown) => response.destroy(error as Error),
    );
  });

  /** @returns the base address for OTEL_EXPORTER_OTLP_ENDPOINT */
  listen(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(0, '127.0.0.1', () =>
        resolve(`http://127.0.0.1:${(this.server.address() as AddressInfo).port}`),
      );
    });
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** The spans of an ExportTraceServiceRequest. Numbers of fields are those of opentelemetry-proto. */
function spansOf(body: Buffer): ExportedSpan[] {
  return messagesOf(body, 1).flatMap((resourceSpans) => {
    const resource = messagesOf(resourceSpans, 1).flatMap((one) => messagesOf(one, 1));
    const service = String(attributesOf(resource)['service.name']);
    const scopes = messagesOf(resourceSpans, 2);
    return scopes.flatMap((scope) => messagesOf(scope, 2)).map((span) => spanOf(service, span));
  });
}

function spanOf(service: string, span: Buffer): ExportedSpan {
  const hex = (message: Buffer, field: number) => messagesOf(message, field)[0]?.toString('hex') ?? '';
  const parentSpanId = hex(span, 4);
  const [status = Buffer.of()] = messagesOf(span, 15);
  return {
    service,
    name: String(messagesOf(span, 5)[0]),
    traceId: hex(span, 1),
    spanId: hex(span, 2),
    ...(parentSpanId !== '' && { parentSpanId }),
    attributes: attributesOf(messagesOf(span, 9)),
    linkedTraceIds: messagesOf(span, 13).map((link) => hex(link, 1)),
    failed: fieldsOf(status).get(3)?.[0] === FAILED,
  };
}

function attributesOf(attributes: readonly Buffer[]): ExportedSpan['attributes'] {
  return Object.fromEntries(
    attributes.map((attribute) => {
      const [key, value] = [1, 2].map((field) => messagesOf(attribute, field)[0] ?? Buffer.of());
      const [[kind, [content] = []] = []] = fieldsOf(value ?? Buffer.of());
      if (kind === 2) return [String(key), content === 1n];
      if (kind === 3) return [String(key), Number(content)];
      return [String(key), kind === 4 ? (content as Buffer).readDoubleLE() : String(content)];
    }),
  );
}

const messagesOf = (message: Buffer, field: number) => (fieldsOf(message).get(field) ?? []) as Buffer[];

/** The fields of a protobuf message by number: variable-length integers as bigint, all others as bytes. */
function fieldsOf(message: Buffer): Map<number, (Buffer | bigint)[]> {
  const fields = new Map<number, (Buffer | bigint)[]>();
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const bytes = (length: number) => {
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = Number(varint());
    const wireType = tag & 7;
    const length = { 1: 8, 5: 4 }[wireType];
    const value = wireType === 0 ? varint() : bytes(length ?? Number(varint()));
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
}
