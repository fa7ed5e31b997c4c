/** Functions that run in the page, so none uses anything outside itself. Each engine gets them as text. */

/** An element as a person names it: its kind and its name, or a part of that name. */
export type Target = {
  kind: Kind
  words: Words | null
  within: Target | null
}

export type Kind =
  | 'button'
  | 'link'
  | 'heading'
  | 'field'
  | 'file'
  | 'item'
  | 'article'
  | 'group'
  | 'dialog'
  | 'option'
  | 'text'

/** A text, or a pattern as its source and flags. */
export type Words = string | readonly [source: string, flags: string]

/**
 * Finds the first visible element of a kind and name. A whole name comes before a part of it, and the page's content
 * before its frame.
 */
export function findTarget(target: Target): Element | null {
  const selectors = {
    button: 'button, input[type=submit], summary, [role=button]',
    link: 'a[href]',
    heading: 'h1, h2, h3, h4, h5, h6',
    field: 'input:not([type=hidden]), select, textarea',
    file: 'input[type=file]',
    item: 'li, [role=listitem]',
    article: 'article',
    group: 'fieldset, [role=group]',
    dialog: 'dialog[open], [role=dialog], [role=alertdialog]',
    option: '[role=option], [role=menuitem]',
    text: '',
  }
  const tidy = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim()
  const textOf = (node: Node): string => {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? ''
    if (!(node instanceof Element) || node.getAttribute('aria-hidden') === 'true') return ''
    if (node instanceof HTMLImageElement) return node.alt
    // A field's value is not part of its label.
    if (node.matches('script, style, select, textarea')) return ''
    const isBlock = !/^(inline|contents)/.test(getComputedStyle(node).display)
    return `${isBlock ? ' ' : ''}${[...node.childNodes].map(textOf).join('')}${isBlock ? ' ' : ''}`
  }
  const nameOf = (element: Element): string => {
    const ids = element.getAttribute('aria-labelledby')?.split(/\s+/) ?? []
    const parts = ids.map((id) => document.getElementById(id)).filter((part) => part !== null)
    if (parts.length > 0) return tidy(parts.map(textOf).join(' '))
    const label = element.getAttribute('aria-label')
    if (label) return tidy(label)
    const labels = (element as HTMLInputElement).labels
    if (labels && labels.length > 0) return tidy([...labels].map(textOf).join(' '))
    if (element instanceof HTMLInputElement) return tidy(element.value)
    return tidy(textOf(element))
  }
  const isShown = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0
  const isFitting = (text: string, words: Words | null, whole: boolean) =>
    typeof words !== 'string'
      ? new RegExp(words?.[0] ?? '', words?.[1]).test(text)
      : whole
        ? text === words
        : text.toLowerCase().includes(words.toLowerCase())
  /** The smallest elements that show the words. */
  const innermost = (element: HTMLElement, words: Words | null): Element[] => {
    // An element without a box, such as a part of a page, has no visibility of its own.
    const { display, visibility } = getComputedStyle(element)
    if (display === 'none' || visibility === 'hidden') return []
    if (!isFitting(tidy(element.innerText), words, false)) return []
    const deeper = [...element.children].flatMap((child) =>
      child instanceof HTMLElement ? innermost(child, words) : [],
    )
    return deeper.length > 0 ? deeper : [element]
  }
  const find = ({ kind, words, within }: Target): Element[] => {
    const roots: ParentNode[] = within ? find(within) : [document.body]
    if (kind === 'text') return roots.flatMap((root) => innermost(root as HTMLElement, words))
    const all = roots.flatMap((root) => [...root.querySelectorAll(selectors[kind])])
    const shown = kind === 'file' ? all : all.filter(isShown)
    if (words === null) return shown
    const fits = (text: string, whole: boolean) => isFitting(text, words, whole)
    const isContainer = kind === 'item' || kind === 'article' || kind === 'group' || kind === 'dialog'
    const named = shown.map((element) => ({
      element,
      name: isContainer ? `${nameOf(element)} ${tidy(element.textContent)}` : nameOf(element),
    }))
    const rank = ({ element, name }: (typeof named)[number]) =>
      (fits(name, true) ? 0 : 2) + (element.closest('main, dialog') ? 0 : 1)
    return named
      .filter(({ name }) => fits(name, false))
      .sort((one, other) => rank(one) - rank(other))
      .map(({ element }) => element)
  }
  return find(target)[0] ?? null
}

/** The element once it stands still, is enabled and nothing covers it. Scrolls it into the middle first. */
export async function readyElement(element: Element | null): Promise<Element | null> {
  if (!element || element.matches(':disabled, [aria-disabled=true]') || element.closest('[inert]'))
    return null
  element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
  const place = () => {
    const { x, y, width, height } = element.getClientRects()[0] ?? new DOMRect()
    return [x + width / 2, y + height / 2, width] as const
  }
  const frame = () => new Promise(requestAnimationFrame)
  await frame()
  const before = place()
  await frame()
  const [x, y, width] = place()
  if (width === 0 || before[0] !== x || before[1] !== y) return null
  const hit = document.elementFromPoint(x, y)
  // During a view transition its pictures cover the page and belong to the root, so a click would be lost.
  const isHit =
    hit !== null &&
    hit !== document.documentElement &&
    (element.contains(hit) || hit.contains(element) || (hit.closest('label')?.contains(element) ?? false))
  return isHit ? element : null
}

/**
 * Prepares a field for typing: focuses it and selects what it holds. Fields of dates and times, lists and boxes differ
 * too much between engines to be typed in, so they are set, and changed as by a person.
 * @returns whether it is done already
 */
export function prepareField(
  element: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement,
  text: string,
) {
  element.focus()
  const isTyped = !(element instanceof HTMLSelectElement) && !/^(date|time|month)$/.test(element.type)
  if (isTyped) {
    element.select()
    return false
  }
  const option =
    element instanceof HTMLSelectElement
      ? [...element.options].find(({ value, label }) => value === text || label === text)
      : null
  if (element instanceof HTMLSelectElement && !option) throw new Error(`There is no option ${text}.`)
  const owner = element instanceof HTMLSelectElement ? HTMLSelectElement : HTMLInputElement
  // Past React's own setter, which would hide the change from it.
  Object.getOwnPropertyDescriptor(owner.prototype, 'value')?.set?.call(element, option?.value ?? text)
  element.dispatchEvent(new Event('input', { bubbles: true }))
  element.dispatchEvent(new Event('change', { bubbles: true }))
  return true
}

/** Whether React has hydrated the document, deferred parts included (tests/e2e/browser.ts). */
export function isHydrated(): boolean {
  if (document.documentElement.dataset.ready !== 'true') return false
  // The map draws its own controls, without React.
  const controls = document.querySelectorAll('main :is(a, button, input):not(.maplibregl-map *)')
  return [...controls].every((element) => Object.keys(element).some((key) => key.startsWith('__reactProps$')))
}

/** Scrolls through the whole page, so that the parts that load when they are seen do. */
export async function scrollThrough(): Promise<void> {
  const frame = () => new Promise(requestAnimationFrame)
  for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight) {
    scrollTo({ top, behavior: 'instant' })
    await frame()
  }
  scrollTo({ top: 0, behavior: 'instant' })
  await frame()
}

/** The faults of the screen as it is: an error text, or content wider than the window. */
export function findFaults(): string[] {
  const found: string[] = []
  const error =
    /[^.]*(Something went wrong|isn’t working|couldn’t load|Unexpected Application Error)[^.]*/.exec(
      document.body.innerText,
    )
  if (error) found.push(`says '${error[0].trim()}'`)
  const { scrollWidth, clientWidth } = document.scrollingElement ?? document.body
  if (scrollWidth > clientWidth) {
    const wide = [...document.body.querySelectorAll('*')].filter(
      (element) => element.checkVisibility() && element.getBoundingClientRect().right > clientWidth + 1,
    )
    const shown = wide.slice(-3).map((element) => element.outerHTML.slice(0, 120))
    found.push(`is ${scrollWidth} px wide of ${clientWidth}: ${shown.join(' | ')}`)
  }
  return found
}

/** The page's address and content, for the message of a failure. */
export function describePage(): string {
  const content = document.querySelector('main') ?? document.body
  const notices = [...document.querySelectorAll<HTMLElement>('[role=alert], [role=status], dialog[open]')]
  const texts = [...notices.map(({ innerText }) => innerText).filter(Boolean), content?.innerText ?? '']
  return `${location.href}: ${texts.join(' | ').replace(/\s+/g, ' ').slice(0, 1_500)}`
}
