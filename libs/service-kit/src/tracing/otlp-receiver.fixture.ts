import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as it was exported. */
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

interface OtlpAttribute {
  readonly key: string;
  readonly value: { stringValue?: string; intValue?: number | string; boolValue?: boolean; doubleValue?: number };
}

interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes?: OtlpAttribute[];
  links?: { traceId: string }[];
  status?: { code?: number };
}

interface OtlpBody {
  resourceSpans: { resource: { attributes: OtlpAttribute[] }; scopeSpans: { spans: OtlpSpan[] }[] }[];
}

const FAILED = 2;

/** An OTLP/HTTP receiver that keeps what it is sent as JSON. */
export class OtlpReceiver {
  readonly spans: ExportedSpan[] = [];
  /** Everything as it came, for what must not be in it. */
  readonly bodies: string[] = [];
  readonly requests: { readonly path: string | undefined; readonly authorization: string | undefined }[] = [];

  private readonly server = createServer((request, response) => {
    textOf(request).then(
      (body) => {
        const { url: path, headers } = request;
        this.requests.push({ path, authorization: headers.authorization });
        this.bodies.push(body);
        this.spans.push(...readSpans(JSON.parse(body)));
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
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

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

function readSpans({ resourceSpans }: OtlpBody): ExportedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(readAttributes(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => readSpan(service, span)));
  });
}

function readSpan(service: string, span: OtlpSpan): ExportedSpan {
  const { name, traceId, spanId, parentSpanId, attributes = [], links = [], status } = span;
  return {
    service,
    name,
    traceId,
    spanId,
    ...(parentSpanId && { parentSpanId }),
    attributes: readAttributes(attributes),
    linkedTraceIds: links.map((link) => link.traceId),
    failed: status?.code === FAILED,
  };
}

function readAttributes(attributes: readonly OtlpAttribute[]): ExportedSpan['attributes'] {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? Number(value.intValue ?? value.doubleValue),
    ]),
  );
}
