/** The index of logs: postings for each address and topic, and the search in them. */

export { readLogPositions } from './log-positions.ts';
export { encodePosition, listsOf } from './log-postings.ts';
export { LogSearchLimitError } from './log-search.ts';
