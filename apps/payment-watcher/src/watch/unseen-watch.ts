/** Initial values of a new watch, without its job's fields. */
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
