/** Begins the key of a limit with a window of more than a day, and at most a week. Others are forgotten after a day. */
export const WEEKLY = 'weekly:'
