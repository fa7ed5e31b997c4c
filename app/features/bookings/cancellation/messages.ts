/** From this number of a vendor's cancellations within 12 months, their listings state it. */
const PUBLIC_FROM = 2

/** The sentence on a vendor's listings; null while they have cancelled too seldom for it. */
export function cancellationsNotice(count: number): string | null {
  if (count < PUBLIC_FROM) return null
  return `This vendor has cancelled ${count} approved bookings in the last 12 months.`
}

/**
 * The warning before a vendor cancels an approved booking: how this cancellation would count.
 * @param count the vendor's cancellations in the last 12 months, without this one
 */
export function cancellationWarning(count: number): string {
  const notice = cancellationsNotice(count + 1)
  if (notice === null)
    return 'This counts as a cancellation of yours. After a second one within 12 months, your listings say so.'
  return `Your listings will then say: ‘${notice}’`
}
