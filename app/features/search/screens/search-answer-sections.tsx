import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { classNames } from '../../../ui/class-names.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Picture, type PictureImage, type Priority } from '../../../ui/picture.tsx'
import { BusinessGrid } from '../../businesses/components/business-grid.tsx'
import { ListOrder } from '../components/list-order.tsx'
import { NothingFound } from '../components/nothing-found.tsx'
import { PageSteps } from '../components/page-steps.tsx'
import { SearchNotes } from '../components/search-notes.tsx'
import { SearchTermChips } from '../components/search-term-chips.tsx'
import { ALL_BEST_TEXT, FURTHER_TITLE, TOO_MANY_TEXT, TOO_MANY_TITLE, TRY_AGAIN_TEXT } from '../messages.ts'
import { MapSwitch, NearMe, type SearchView } from './list-search-sections.tsx'

/**
 * The results of a search, with its search terms, order and page links, and the place that `MapSwitch` draws its map into.
 * @param everything the text of the link that removes all search terms
 * @param note a short note between the cards of a list without a search
 * @param whenEmpty shown if a list without a search is empty
 * @param priority whether the first picture of the list is the first of the page
 * @param alert the offer to follow the search
 */
export function SearchAnswer({
  view,
  path,
  everything,
  emptyPicture,
  note,
  whenEmpty,
  priority = false,
  alert,
}: {
  view: SearchView
  path: string
  everything: string
  emptyPicture: PictureImage
  note?: ReactNode
  whenEmpty?: ReactNode
  priority?: Priority
  alert?: ReactNode
}) {
  if (view.isRefused) return <RefusedSearch href={view.href} picture={emptyPicture} />
  return (
    <div className="list-and-map">
      <div className="listed">
        <SearchTermChips searchTerms={view.searchTerms} />
        <SearchNotes notes={view.notes} />
        {view.asksPlace ? <NearMe /> : null}
        <ListHead view={view} path={path} everything={everything} />
        {view.isEmpty || !view.orderNote ? null : (
          <p className="mb-6 text-sm text-quiet max-md:hidden">{view.orderNote}</p>
        )}
        {view.isEmpty && !view.isSearching && whenEmpty ? (
          whenEmpty
        ) : view.isEmpty ? (
          <NothingFound
            ways={view.relaxed}
            noneText={view.noneText}
            everything={path}
            image={emptyPicture}
            pages={view}
            alert={alert}
          >
            {view.closeMatches.length > 0 ? (
              <BusinessGrid businesses={view.closeMatches} heading="h3" />
            ) : null}
          </NothingFound>
        ) : (
          <FoundList
            view={view}
            note={view.isSearching || view.isLaterPage ? undefined : note}
            priority={priority}
            alert={alert}
          />
        )}
      </div>
      <div className="map-place" />
    </div>
  )
}

/** The screen of a search that was refused, since too many came at once. */
function RefusedSearch({ href, picture }: { href: string; picture: PictureImage }) {
  return (
    <EmptyState
      illustration={<Picture image={picture} alt="" sizes="280px" ratio="4 / 3" />}
      title={TOO_MANY_TITLE}
      text={TOO_MANY_TEXT}
      action={
        <Link to={href} className="link inline-block py-2.5">
          {TRY_AGAIN_TEXT}
        </Link>
      }
    />
  )
}

/** The number of results, with the link to everything, the map's switch and the order of the list. */
function ListHead({ view, path, everything }: { view: SearchView; path: string; everything: string }) {
  return (
    <div className={classNames('list-head', !view.isEmpty && !view.isSearching && 'list-head-row')}>
      <p className="figures font-semibold" role="status">
        {view.count}
      </p>
      {view.isSearching ? (
        <Link to={path} className="link">
          {everything}
        </Link>
      ) : null}
      <MapSwitch href={view.href} path={path} count={view.count} listed={view.businesses} />
      {view.isEmpty ? null : <ListOrder orders={view.orders} />}
    </div>
  )
}

/** The businesses of a page of results, with close matches and the links to further pages. */
function FoundList({
  view,
  note,
  priority,
  alert,
}: {
  view: SearchView
  note: ReactNode
  priority: Priority
  alert: ReactNode
}) {
  return (
    <>
      <BusinessGrid businesses={view.businesses} priority={priority} note={note} />
      {alert && view.closeMatches.length > 0 ? alert : null}
      {view.closeMatches.length > 0 ? <CloseMatches view={view} /> : null}
      <div className="mt-14 empty:hidden">
        <PageSteps previous={view.previous} next={view.next} />
      </div>
      {view.rest ? (
        <p className="mt-8 text-center">
          {ALL_BEST_TEXT}{' '}
          <Link to={view.rest} className="link">
            See all, newest first
          </Link>
        </p>
      ) : null}
      {view.closeMatches.length > 0 ? null : alert}
    </>
  )
}

/** The businesses that almost match, and the searches that find more. */
function CloseMatches({ view }: { view: SearchView }) {
  return (
    <section className="mt-14 border-t border-line pt-8" aria-labelledby="further">
      <h2 id="further" className="text-2xl">
        {FURTHER_TITLE}
      </h2>
      <ul className="mt-3 mb-8 flex flex-wrap gap-x-8 gap-y-1">
        {view.relaxed.map(({ label, found, href }) => (
          <li key={label} className="flex min-h-11 items-center gap-3">
            <Link to={href} className="link py-2">
              {label}
            </Link>
            <span className="figures text-sm text-quiet">{found}</span>
          </li>
        ))}
      </ul>
      <BusinessGrid businesses={view.closeMatches} heading="h3" />
    </section>
  )
}
