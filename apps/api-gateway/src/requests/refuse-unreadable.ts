import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { ApiError } from '../errors/api-error.ts';
import { errorBody } from '../errors/error-body.ts';

/** Most time for a client to send its whole request, ms. */
export const REQUEST_RECEIVE_MS = 10_000;

const UNREADABLE = 'This is no HTTP request that can be read, or its headers are too large';
const UNFINISHED = `The rest of the request did not arrive within ${REQUEST_RECEIVE_MS / 1000} s`;

/**
 * Answers a request that is unreadable, too slow or has too many headers with the error body. Closes a connection without any request in
 * silence: a browser that sends its first one just then takes an answer for that of its request, and repeats it after a close.
 */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (!socket.writable || socket.bytesRead === 0) {
    socket.destroy(error);
    return;
  }
  const message = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? UNFINISHED : UNREADABLE;
  const body = JSON.stringify(errorBody(new ApiError('INVALID_REQUEST', message), randomUUID()));
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
