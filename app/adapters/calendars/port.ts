/** A time at which the owner of an outside calendar is busy. */
export type BusyEvent = {
  from: Date
  until: Date
  /** The event's title in the calendar, one line of at most 200 characters; 'Busy' when it has none. */
  title: string
  /**
   * The event's UID without our own host, if one of our feeds exported it: the id of a booking. Undefined for any other
   * event.
   */
  ownId?: string
}

export type CalendarAnswer =
  | {
      ok: true
      /** Whether nothing can have changed since the reading that returned `etag`. `events` is then empty. */
      unchanged: boolean
      /** Identifies this reading; pass it to the next one unchanged. Our own value; longer than the calendar's ETag. */
      etag: string
      /** Sorted by start. */
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
  /** `event` names an event that may block a time but can't be read: its title or day, on one line. */
  | { ok: false; reason: 'unreadable_event'; event: string }

/** Reads calendars of other services. */
export type CalendarReader = {
  /**
   * Fetches an iCal URL and determines when its owner is busy. Never throws for a failure of the other server.
   * @param url http, https or webcal
   * @param window limits the result to events that overlap it, which bounds rules without an end
   * @param zone the business's zone, for all-day events and times without a zone
   * @param etag the `etag` of the last successful reading of this URL, or null
   * @returns `refused_address` for a URL that is invalid or leads into a private network
   */
  read(
    url: string,
    window: { from: Date; until: Date },
    zone: string,
    etag: string | null,
  ): Promise<CalendarAnswer>
}
