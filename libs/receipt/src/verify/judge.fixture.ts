import type { Honest } from '../honest-receipt.fixture.ts';
import { openReceipt, unreadable, type Verdict, verifyReceipt } from './verify-receipt.ts';

/** What is said of a file to whom the chain tells these facts. */
export async function judge(content: unknown, { facts }: Pick<Honest, 'facts'>): Promise<Verdict> {
  const opened = await openReceipt(content);
  return 'broken' in opened ? unreadable(opened.broken) : verifyReceipt(opened.file, facts);
}
