import type { JobReport } from '../honest-receipt.fixture.ts';
import { openReceipt, unreadable, type Verdict, verifyReceipt } from './verify-receipt.ts';

/** The verdict about a file, with these facts of the chain. */
export async function judge(content: unknown, { facts }: Pick<JobReport, 'facts'>): Promise<Verdict> {
  const opened = await openReceipt(content);
  return 'broken' in opened ? unreadable(opened.broken) : verifyReceipt(opened.file, facts);
}
