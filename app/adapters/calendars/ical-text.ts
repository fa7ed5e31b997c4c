/** A malformed text, which is refused as a whole. */
export class Unreadable extends Error {}

/** One content line: `DTSTART;TZID=Australia/Sydney:20270313T160000`. */
export type Property = { parameters: Record<string, string>; value: string }

export type Component = {
  name: string
  properties: Map<string, Property[]>
  children: Component[]
  /** The component's raw lines, for the parts that the library parses itself. */
  lines: string[]
}

/** The properties that busy times depend on. Real files are often broken in others, such as descriptions. */
const READ_PROPERTIES = new Set([
  'UID',
  'DTSTART',
  'DTEND',
  'DURATION',
  'RRULE',
  'RDATE',
  'EXDATE',
  'RECURRENCE-ID',
  'SEQUENCE',
  'STATUS',
  'TRANSP',
  'X-MICROSOFT-CDO-BUSYSTATUS',
  'SUMMARY',
  'ATTENDEE',
  'ORGANIZER',
  'FREEBUSY',
  'X-WR-TIMEZONE',
  'TIMEZONE-ID',
  'X-WR-CALNAME',
  'X-WR-RELCALID',
  'X-OWNER',
  'TZID',
  'TZOFFSETFROM',
  'TZOFFSETTO',
])
/** Their values have no colon, so a colon before the last one belongs to an unquoted `TZID=tzone://Microsoft/Utc`. */
const TIME_PROPERTIES = new Set(['DTSTART', 'DTEND', 'RDATE', 'EXDATE', 'RECURRENCE-ID'])
const READ_COMPONENTS = new Set(['VCALENDAR', 'VEVENT', 'VFREEBUSY', 'VTIMEZONE', 'STANDARD', 'DAYLIGHT'])

/** @throws Unreadable when the text does not begin with a calendar, or a component's END does not match its BEGIN */
export function parseComponents(text: string): Component[] {
  const root: Component = { name: '', properties: new Map(), children: [], lines: [] }
  const open: Component[] = [root]
  // The open components inside a component that we don't read, such as an alarm or a to-do.
  const skipped: string[] = []
  for (const line of unfoldedLines(text)) {
    const mark = /^(BEGIN|END):\s*([A-Z0-9-]+)\s*$/i.exec(line)
    const present = open[open.length - 1] as Component
    if (!mark) {
      if (skipped.length > 0) continue
      if (present === root) {
        if (line.trim() === '') continue
        throw new Unreadable('text outside a calendar')
      }
      addProperty(present, line)
      continue
    }
    const name = (mark[2] as string).toUpperCase()
    if ((mark[1] as string).toUpperCase() === 'BEGIN') {
      if (skipped.length > 0 || !READ_COMPONENTS.has(name)) {
        if (present === root) throw new Unreadable('not a calendar')
        skipped.push(name)
        continue
      }
      if ((present === root) !== (name === 'VCALENDAR')) throw new Unreadable(`${name} in ${present.name}`)
      const child: Component = { name, properties: new Map(), children: [], lines: [] }
      present.children.push(child)
      open.push(child)
      continue
    }
    if (skipped.length > 0) {
      if (skipped.pop() !== name) throw new Unreadable(`unexpected END:${name}`)
      continue
    }
    if (present.name !== name) throw new Unreadable(`unexpected END:${name}`)
    open.pop()
  }
  if (open.length > 1 || skipped.length > 0) throw new Unreadable('truncated')
  if (root.children.length === 0) throw new Unreadable('empty')
  return root.children
}

/** RFC 5545, 3.1: a line that begins with a space or tab continues the line before. */
function* unfoldedLines(text: string): Generator<string> {
  let line: string | null = null
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  while (at < text.length) {
    let end = text.indexOf('\n', at)
    if (end === -1) end = text.length
    const until = text.charCodeAt(end - 1) === 13 && end > at ? end - 1 : end
    const first = text.charCodeAt(at)
    if ((first === 32 || first === 9) && line !== null && until > at) line += text.slice(at + 1, until)
    else {
      if (line !== null) yield line
      line = text.slice(at, until)
    }
    at = end + 1
  }
  if (line !== null) yield line
}

function addProperty(component: Component, line: string): void {
  const name = /^[A-Za-z0-9-]+/.exec(line)?.[0].toUpperCase()
  if (!name || !READ_PROPERTIES.has(name)) return
  component.lines.push(line)
  const parsed = splitLine(line, name.length)
  const known = component.properties.get(name)
  if (known) known.push(parsed)
  else component.properties.set(name, [parsed])
}

/**
 * Splits a line. Quoted parameters may contain colons and semicolons: Outlook's `TZID="(UTC+10:00) Canberra"`. A line
 * with malformed parameters has an empty value, so that it matters only where this property is read.
 */
function splitLine(line: string, nameLength: number): Property {
  const parameters: Record<string, string> = {}
  const isTime = TIME_PROPERTIES.has(line.slice(0, nameLength).toUpperCase())
  const parameter = isTime ? TIME_PARAMETER : PARAMETER
  const valueAt = isTime ? line.lastIndexOf(':') : -1
  const head = valueAt >= 0 ? line.slice(0, valueAt) : line
  let at = nameLength
  while (line[at] === ';') {
    parameter.lastIndex = at
    const found = parameter.exec(head)
    if (!found) return { parameters: {}, value: '' }
    parameters[(found[1] as string).toUpperCase()] = (found[2] as string).replace(/^"|"$/g, '')
    at = parameter.lastIndex
  }
  if (line[at] !== ':') return { parameters: {}, value: '' }
  return { parameters, value: line.slice(at + 1).trim() }
}

const PARAMETER = /;([A-Za-z0-9-]+)=("[^"]*"|[^";:]*)/y
const TIME_PARAMETER = /;([A-Za-z0-9-]+)=("[^"]*"|[^";]*)/y

/** A component's property of this name, or the first of several. */
export const first = (component: Component, name: string): Property | undefined =>
  component.properties.get(name)?.[0]
/** A component's properties of this name, in file order. */
export const all = (component: Component, name: string): Property[] => component.properties.get(name) ?? []
