/**
 * The page numbers shown under a list: the first, the last, the current one and its neighbours.
 * @param page the current page, from 1
 * @returns page numbers in order, with null for a gap (never in place of a single page)
 */
export function shownPages(page: number, pageCount: number): (number | null)[] {
  const wanted = new Set([1, pageCount, page - 1, page, page + 1])
  const pages: (number | null)[] = []
  let last = 0
  for (let candidate = 1; candidate <= pageCount; candidate++) {
    if (!wanted.has(candidate)) continue
    if (candidate - last === 2) pages.push(candidate - 1)
    else if (candidate - last > 2) pages.push(null)
    pages.push(candidate)
    last = candidate
  }
  return pages
}
