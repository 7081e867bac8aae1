import type { Socket } from 'node:net';
import { apiErrors } from '#core/errors';

const statusLines: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Answers what is not HTTP, or arrives too slowly, in the shape of every other error, and closes the connection. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
  const body = JSON.stringify({ error: apiErrors.invalid_request.sentence, code: 'invalid_request' });
  const status = statusLines[error.code ?? ''] ?? '400 Bad Request';
  const head = `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`;
  socket.end(head + body);
}
