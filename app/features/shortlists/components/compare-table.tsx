import type { CSSProperties } from 'react'
import { href, Link } from 'react-router'
import { ButtonLink } from '../../../ui/button.tsx'
import { Picture } from '../../../ui/picture.tsx'
import { COMPARE_TITLE } from '../messages.ts'
import type { Comparison } from '../queries.server.ts'
import './compare-table.css'

/**
 * Businesses side by side: a row for each thing that decides between them. On a phone it scrolls, and the row's name stays.
 * @param query the query string of what was asked, for the links to the pages
 */
export function CompareTable({ comparison, query }: { comparison: Comparison; query: string }) {
  const { businesses, rows } = comparison
  return (
    <div className="mt-10">
      <h2 id="compare" className="text-2xl">
        {COMPARE_TITLE}
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard */}
      <section className="compare mt-5" aria-labelledby="compare" tabIndex={0}>
        <table style={{ '--columns': businesses.length } as CSSProperties}>
          <thead>
            <tr>
              <td />
              {businesses.map(({ id, name, picture }) => (
                <th key={id} scope="col">
                  <Picture image={picture} alt="" ratio="4 / 3" sizes="260px" />
                  <Link
                    to={href('/business/:id', { id }) + query}
                    className="mt-3 line-clamp-3 py-1 text-lg leading-tight hover:underline hover:underline-offset-4"
                  >
                    {name}
                  </Link>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ label, cells, best }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                {businesses.map(({ id }, index) => (
                  <td key={id} className={index === best ? 'figures font-semibold' : 'figures'}>
                    {cells[index] ?? <span className="text-quiet">Not specified</span>}
                    {index === best ? <span className="tag ml-2">Lowest</span> : null}
                  </td>
                ))}
              </tr>
            ))}
            <tr>
              <th scope="row">
                <span className="unseen">Next step</span>
              </th>
              {businesses.map(({ id, name, isBookable }) => (
                <td key={id}>
                  <ButtonLink
                    to={
                      (isBookable ? href('/business/:id', { id }) : href('/business/:id/ask', { id })) + query
                    }
                    size="small"
                  >
                    {isBookable ? 'See dates' : 'Ask for a quote'}
                    <span className="unseen">: {name}</span>
                  </ButtonLink>
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      </section>
    </div>
  )
}
