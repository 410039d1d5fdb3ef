import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { ApiError } from '../errors/api-error.ts';
import { errorBody } from '../errors/error-body.ts';

/** Answers an unreadable request, or one with too many headers, with the error body. */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (!socket.writable) {
    socket.destroy(error);
    return;
  }
  const message = 'This is no HTTP request that can be read, or its headers are too large';
  const body = JSON.stringify(errorBody(new ApiError('INVALID_REQUEST', message), randomUUID()));
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
