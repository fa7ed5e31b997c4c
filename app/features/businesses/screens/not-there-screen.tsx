import type { ReactNode } from 'react'
import { href, Link } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { Picture, type PictureImage } from '../../../ui/picture.tsx'
import { CATEGORIES, CATEGORY_PATHS } from '../rules.ts'

/** The page of a missing address: a picture, a short text, a search, and links to the categories. */
export function NotThere({
  title,
  picture,
  children,
}: {
  title: string
  picture: PictureImage
  children: ReactNode
}) {
  return (
    <div className="page grid items-center gap-x-16 gap-y-10 py-12 md:grid-cols-2 md:py-20">
      <div>
        <h1>{title}</h1>
        <p className="lede mt-5">{children}</p>
        <search>
          <form action={href('/venues-vendors')} className="mt-8 flex max-w-lg gap-3">
            <label className="unseen" htmlFor="not-there-words">
              Search venues and vendors
            </label>
            <input
              id="not-there-words"
              name="q"
              type="search"
              required
              maxLength={100}
              enterKeyHint="search"
              placeholder="Woolshed, braids, coffee cart …"
              className="control"
            />
            <Button type="submit" variant="primary">
              Search
            </Button>
          </form>
        </search>
        <ul className="mt-8 flex max-w-xl flex-wrap gap-x-6 gap-y-1">
          {CATEGORIES.map((category) => (
            <li key={category}>
              <Link to={CATEGORY_PATHS[category]} className="link inline-block py-1.5">
                {category}
              </Link>
            </li>
          ))}
        </ul>
      </div>
      <Picture
        image={picture}
        alt=""
        ratio="4 / 3"
        sizes="(min-width: 769px) 46vw, 90vw"
        priority
        className="max-md:-order-1"
      />
    </div>
  )
}
