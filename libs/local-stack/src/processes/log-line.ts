import { open } from 'node:fs/promises';

const TAIL_BYTES = 16_384;
const LONGEST = 400;
const ERROR_LEVEL = 50;

/** Level and text of a line of a JSON log; undefined for another line. */
function readJsonLine(line: string): { level: number; text: string } | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const { level, msg, err } = JSON.parse(line) as { level?: number; msg?: string; err?: { message?: string } };
    const text = [msg, err?.message !== msg ? err?.message : undefined].filter(Boolean).join(': ');
    return text ? { level: level ?? 0, text } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The line at a log's end that best explains why a process stopped: the last error of a JSON log, else the message
 * of an uncaught error, else the last line.
 */
export function failureLine(log: string): string {
  const lines = log.split('\n').filter((line) => line.trim() !== '');
  const errors = lines.map(readJsonLine).filter((line) => line !== undefined && line.level >= ERROR_LEVEL);
  const uncaught = lines.filter((line) => /^(Uncaught )?\w*Error(:| \[)/.test(line));
  const last = lines.at(-1)?.trim() ?? '';
  const line = errors.at(-1)?.text ?? uncaught.at(-1) ?? readJsonLine(last)?.text ?? last;
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

/** {@link failureLine} of a log file; empty when there is none. */
export async function lastLogLine(logFile: string): Promise<string> {
  const file = await open(logFile, 'r').catch(() => undefined);
  if (!file) return '';
  try {
    const { size } = await file.stat();
    const length = Math.min(size, TAIL_BYTES);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return failureLine(buffer.toString('utf8'));
  } finally {
    await file.close();
  }
}
