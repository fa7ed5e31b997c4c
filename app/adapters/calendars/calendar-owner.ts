import { all, type Component, first, type Property } from './ical-text.ts'

/** The people who own a calendar: addresses and names, in lower case. */
export type Owner = ReadonlySet<string>

const ABSENT = new Set(['DECLINED', 'DELEGATED'])

/**
 * The owner of a calendar, whom iCalendar doesn't name. Programs do so in the calendar's name (Google: an e-mail
 * address), `X-WR-RELCALID` or `X-OWNER`. Otherwise it is the one person who takes part in every event with people: two
 * events at least, and each with an organiser, since Google leaves out the owner of an event of their own.
 * @param known addresses that the caller knows, such as those in the calendar's URL
 */
export function ownerOf(calendar: Component, known: readonly string[]): Owner {
  const named = ['X-WR-CALNAME', 'X-WR-RELCALID', 'X-OWNER'].flatMap((name) =>
    all(calendar, name).flatMap(namesOf),
  )
  const owner = new Set([...known, ...named].map(plainName).filter((name) => name !== ''))
  const only = onlyPersonInAll(calendar)
  if (only) owner.add(only)
  return owner
}

/** Whether the calendar's owner is invited to an event and has declined or delegated it. */
export function isDeclined(event: Component, owner: Owner): boolean {
  const answers = all(event, 'ATTENDEE').filter((attendee) =>
    namesOf(attendee).some((name) => owner.has(name)),
  )
  return (
    answers.length > 0 &&
    answers.every(({ parameters }) => ABSENT.has(parameters.PARTSTAT?.toUpperCase() ?? ''))
  )
}

function onlyPersonInAll(calendar: Component): string | null {
  const invitations = calendar.children.filter(
    (event) => event.name === 'VEVENT' && (first(event, 'ATTENDEE') || first(event, 'ORGANIZER')),
  )
  const [one, ...others] = invitations
  if (!one || new Set(invitations.map((event) => first(event, 'UID')?.value)).size < 2) return null
  if (!invitations.every((event) => first(event, 'ORGANIZER'))) return null
  const common = new Set(peopleOf(one))
  for (const event of others) {
    const people = new Set(peopleOf(event))
    for (const person of common) if (!people.has(person)) common.delete(person)
  }
  const [only, another] = common
  return only && another === undefined ? only : null
}

const peopleOf = (event: Component) => [...all(event, 'ATTENDEE'), ...all(event, 'ORGANIZER')].map(addressOf)

const plainName = (text: string) => text.trim().toLowerCase()
const addressOf = (property: Property) => plainName(property.value.replace(/^mailto:/i, ''))

function namesOf(property: Property): string[] {
  const { CN = '', EMAIL = '' } = property.parameters
  return [addressOf(property), plainName(CN), plainName(EMAIL)].filter((name) => name !== '')
}
