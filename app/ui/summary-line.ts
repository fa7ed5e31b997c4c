/** Too common in labels to tell one field from another. */
const COMMON_WORDS = new Set(['and', 'for', 'the', 'you', 'your', 'our'])

/** The words of a label or a message, in the singular. A unit in brackets names no field. */
function wordsOf(text: string): string[] {
  const words =
    text
      .replace(/\([^()]*\)/g, '')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  return words
    .filter((word) => word.length > 2 && !COMMON_WORDS.has(word))
    .map((word) => word.replace(/s$/, ''))
}

/**
 * A field's error for a summary, where it stands without its field: 'Description: use at most 1000 characters.' A message
 * that names the field already stays as it is.
 * @param others the labels of the form's other fields: 'Invalid phone number' names neither of two phones
 */
export function summaryLine(
  label: string | undefined,
  message: string,
  others: readonly string[] = [],
): string {
  const name = label?.trim()
  if (!name || namesField(message, name, others)) return message
  if (/[?.!:]$/.test(name)) return `${name} ${message}`
  // Not an abbreviation, such as ABN.
  const follows = /^\p{Lu}(\p{Ll}|\s)/u.test(message)
    ? message.charAt(0).toLowerCase() + message.slice(1)
    : message
  return `${name}: ${follows}`
}

/** Whether a message has all words of the label, or a word that no other label has. */
function namesField(message: string, label: string, others: readonly string[]): boolean {
  const said = new Set(wordsOf(message))
  const shared = new Set(others.flatMap(wordsOf))
  const words = wordsOf(label)
  if (words.length === 0) return message.includes(label)
  return words.every((word) => said.has(word)) || words.some((word) => said.has(word) && !shared.has(word))
}
