/** A form of a page as a browser would send it, before anything is typed. */
export type PageForm = {
  /** The path that it is sent to. */
  action: string
  fields: Record<string, string>
  /** The buttons that send it, each with its name and value, and its text. */
  buttons: { name: string; value: string; text: string }[]
}

const FORM = /<form\b[^>]*>/g
const CONTROL = /<(input|select|textarea|button)\b([^>]*)>/g
const OPTION = /<option\b([^>]*)>/g
const UNSEEN = /<(script|style)\b[^>]*>[\s\S]*?<\/\1>/g
const TAG = /<[^>]*>/g
const ENTITY = /&(amp|lt|gt|quot|#39|#x27);/g
const SPACE = /\s+/g
const CHARACTERS: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#x27': "'",
}
/**
 * The forms of a page. Choices have what is chosen, lists their first option without one, and boxes count only while they are
 * ticked, as in a browser.
 * @param path the page's own, to which a form without an action is sent
 */
export function formsOf(html: string, path: string): PageForm[] {
  return [...html.matchAll(FORM)].map(({ 0: tag, index }) => {
    const inside = html.slice(index + tag.length, endOf(html, '</form>', index))
    const form: PageForm = { action: attribute(tag, 'action') ?? path, fields: {}, buttons: [] }
    for (const control of inside.matchAll(CONTROL)) {
      const [whole, kind = '', attributes = ''] = control
      const rest = inside.slice(control.index + whole.length)
      addControl(form, { kind, attributes, rest })
    }
    return form
  })
}

function addControl(form: PageForm, control: { kind: string; attributes: string; rest: string }): void {
  const { kind, attributes, rest } = control
  const name = attribute(attributes, 'name')
  if (kind === 'button') {
    const text = textOf(rest.slice(0, endOf(rest, '</button>')))
    form.buttons.push({ name: name ?? '', value: attribute(attributes, 'value') ?? '', text })
    return
  }
  if (!name || has(attributes, 'disabled')) return
  if (kind === 'textarea') form.fields[name] = decode(rest.slice(0, endOf(rest, '</textarea>')))
  else if (kind === 'select') form.fields[name] = chosenOption(rest.slice(0, endOf(rest, '</select>')))
  else {
    const type = attribute(attributes, 'type')
    if ((type === 'checkbox' || type === 'radio') && !has(attributes, 'checked')) return
    form.fields[name] = attribute(attributes, 'value') ?? (type === 'checkbox' ? 'on' : '')
  }
}

function chosenOption(html: string): string {
  const options = [...html.matchAll(OPTION)].map(([, attributes = '']) => attributes)
  const chosen = options.find((attributes) => has(attributes, 'selected')) ?? options[0] ?? ''
  return attribute(chosen, 'value') ?? ''
}

/** The words of a piece of HTML. */
export const textOf = (html: string): string =>
  decode(html.replace(UNSEEN, ' ').replace(TAG, ' ')).replace(SPACE, ' ').trim()

function endOf(html: string, tag: string, from = 0): number {
  const end = html.indexOf(tag, from)
  return end < 0 ? html.length : end
}

function attribute(tag: string, name: string): string | null {
  const start = tag.indexOf(` ${name}="`)
  if (start < 0) return null
  const from = start + name.length + 3
  return decode(tag.slice(from, tag.indexOf('"', from)))
}

const has = (attributes: string, name: string) =>
  attributes.includes(` ${name}=""`) || attributes.endsWith(` ${name}`)

const decode = (text: string) => text.replace(ENTITY, (_, name: string) => CHARACTERS[name] ?? '')
