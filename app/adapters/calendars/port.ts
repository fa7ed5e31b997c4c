/** One time at which an outside calendar says that its owner is busy. */
export type BusyEvent = {
  from: Date
  until: Date
  /** What the calendar calls it, one line of at most 200 characters; 'Busy' when it says nothing. */
  title: string
}

export type CalendarAnswer =
  | {
      ok: true
      /** True when nothing can have changed since the answer that `etag` came from: `events` is then empty. */
      unchanged: boolean
      /** Marks this answer; hand it to the next reading as it is. It is our own, longer than the calendar's ETag. */
      etag: string
      /** Sorted by their start. */
      events: BusyEvent[]
    }
  | {
      ok: false
      reason:
        | 'unreachable'
        | 'refused_address'
        | 'too_large'
        | 'too_slow'
        | 'not_a_calendar'
        | 'too_many_events'
        | 'http_error'
    }

/** Reads calendars that other services keep. */
export type CalendarReader = {
  /**
   * Fetches an iCal address and works out when its owner is busy. Never throws for what the other side does.
   * @param url http, https or webcal
   * @param window only events that overlap it are given, so a rule without an end is no trouble
   * @param zone the business's zone, for all-day events and times without a zone
   * @param etag what the last good answer for this address said, or null
   * @returns `refused_address` for an address that is none, or leads into a private network
   */
  read(
    url: string,
    window: { from: Date; until: Date },
    zone: string,
    etag: string | null,
  ): Promise<CalendarAnswer>
}
