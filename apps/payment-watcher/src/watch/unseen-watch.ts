/** What is kept of a watch of which nothing is known yet, beside whose it is and when. */
export const UNSEEN_WATCH = {
  scannedFromBlock: null,
  searchedBack: false,
  readAtBlock: null,
  readAt: null,
  readPastDeadlineAtBlock: null,
  mentions: [],
  spendingSinceBlock: null,
  seenRevision: 0,
  deadlinePassedAt: null,
  nextPollAt: null,
  watchUntil: null,
  closed: false,
};
