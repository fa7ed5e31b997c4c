-- The event of an outside calendar that can't be read, so that its vendor can find and mend it.
alter table outside_calendars add column last_error_event text;
