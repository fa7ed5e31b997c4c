/**
 * Removes the characters at a text's end that match. A pattern that ends with `+$` would try again at each of them, so
 * a long run of them in the middle takes the square of its length.
 * @param character matches one character
 */
export function trimEndWhere(text: string, character: RegExp): string {
  let end = text.length
  while (end > 0 && character.test(text.charAt(end - 1))) end--
  return text.slice(0, end)
}
