import { href } from 'react-router'
import { ButtonLink } from '../../../ui/button.tsx'
import { Card, CoverLink } from '../../../ui/card.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Link } from '../../../ui/link.tsx'
import type { PictureImage } from '../../../ui/picture.tsx'
import { Picture } from '../../../ui/picture.tsx'
import { RenderedOnce } from '../../../ui/rendered-once.tsx'
import { Slider } from '../../../ui/slider.tsx'
import { BusinessCard, CategoryTag } from '../../businesses/components/business-card.tsx'
import { BusinessRow } from '../../businesses/components/business-row.tsx'
import type { CategoryTile } from '../../businesses/components/category-mosaic.tsx'
import { CategoryMosaic } from '../../businesses/components/category-mosaic.tsx'
import { PriceLine } from '../../businesses/components/price-line.tsx'
import { RatingMark } from '../../businesses/components/rating-mark.tsx'
import type { BusinessCardView } from '../../businesses/queries.server.ts'
import { NumberedSteps } from '../components/numbered-steps.tsx'
import type { Field } from '../filter-schema.ts'
import { howToBook, howToList } from '../home-messages.ts'

export type HomePage = {
  /** Place suggestions before the visitor types. */
  places: readonly string[]
  fields: readonly Field[]
  heroes: readonly { alt: string; image: PictureImage }[]
  tiles: readonly CategoryTile[]
  /** Businesses with a price, the best rated of some categories after those in `featured`. */
  ready: readonly BusinessCardView[]
  /** The best rated of some categories. */
  featured: readonly BusinessCardView[]
  /** A customer's words about the first of those. */
  quote: { body: string; authorName: string } | null
  newest: readonly BusinessCardView[]
  occasions: readonly { occasion: string; name: string }[]
  vendorPicture: PictureImage
  /** How long a vendor has to answer: 'two days'. */
  answerTime: string
}

/** A picture at a time, beside the headline. On a phone they follow the first businesses. */
export function HomeSlider({ heroes }: Pick<HomePage, 'heroes'>) {
  return (
    <Slider
      label="Pictures of celebrations"
      slideWidth="100%"
      slideWidthWide="100%"
      className={[
        // Bleeds to the window's right edge, like a picture in a magazine.
        'md:mr-[calc((min(100vw,var(--page)+2*var(--gutter))-100vw)/2-var(--gutter))]',
        'max-md:order-last max-md:-mx-[var(--gutter)] max-md:mt-8',
        '[&_.slider-view]:rounded-none md:[&_.slider-view]:rounded-bl-[56px]',
        '[&_.slider-head]:absolute [&_.slider-head]:top-4 [&_.slider-head]:right-4 [&_.slider-head]:z-2 [&_.slider-head]:mb-0',
      ].join(' ')}
      slides={heroes.map(({ image, alt }, index) => ({
        key: image.url,
        content: (
          <Picture
            image={image}
            alt={alt}
            ratio="16 / 11"
            sizes="(min-width: 769px) 58vw, 100vw"
            priority={index === 0 && 'wide'}
            // Low enough for the listings below it to begin in the first screen.
            className="rounded-none! md:aspect-[7/3]!"
          />
        ),
      }))}
    />
  )
}

/** The first businesses below the search: a row that scrolls on narrow screens. */
export function HomeListings({ ready }: Pick<HomePage, 'ready'>) {
  if (ready.length === 0) return null
  return (
    <section className="mt-4 min-w-0 md:col-span-2 md:mt-6" aria-labelledby="ready">
      <div className="mb-2 flex items-baseline justify-between gap-6 md:mb-3">
        <h2 id="ready" className="text-xl">
          Ready to book
        </h2>
        <Link to={href('/venues-vendors')} className="link">
          See all
        </Link>
      </div>
      <ul className="flex snap-x gap-4 overflow-x-auto -my-2 py-2 max-xl:-mx-[var(--gutter)] max-xl:scroll-px-[var(--gutter)] max-xl:px-[var(--gutter)] xl:-m-2 xl:p-2 xl:grid xl:grid-cols-4 xl:gap-6">
        {ready.map((business, index) => (
          <li key={business.id} className="w-[62%] flex-none snap-start sm:w-[38%] lg:w-[29%] xl:w-auto">
            <BusinessCard
              business={business}
              sizes="(min-width: 1280px) 380px, (min-width: 560px) 38vw, 62vw"
              priority={index === 0 && 'narrow'}
              isBrief
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The home page below its first screen: links and pictures that work before their script loads. */
export function HomeSections({
  tiles,
  featured,
  quote,
  newest,
  occasions,
  vendorPicture,
  answerTime,
}: Omit<HomePage, 'places' | 'fields' | 'heroes' | 'ready'>) {
  return (
    <>
      <RenderedOnce
        as="section"
        className="page page-wide section"
        aria-labelledby="categories"
        inside={Categories}
        data={{ tiles }}
      />
      {featured.length > 0 ? (
        <RenderedOnce
          as="section"
          className="bg-sunk"
          aria-labelledby="featured"
          inside={Featured}
          data={{ featured, quote }}
        />
      ) : null}
      <RenderedOnce
        as="section"
        className="page page-wide section pb-0!"
        aria-labelledby="occasions"
        inside={Occasions}
        data={{ occasions }}
      />
      {newest.length > 0 ? (
        <RenderedOnce
          as="section"
          className="page page-wide section"
          aria-labelledby="newest"
          inside={Newest}
          data={{ newest }}
        />
      ) : null}
      <RenderedOnce
        as="section"
        className="page page-wide section border-t border-line"
        aria-labelledby="how"
        inside={HowItWorks}
        data={{ picture: vendorPicture, answerTime }}
      />
    </>
  )
}

function Categories({ tiles }: Pick<HomePage, 'tiles'>) {
  return (
    <>
      <SectionHead
        id="categories"
        title="Start with a room, or with a song"
        to={href('/venues-vendors')}
        link="See all"
      />
      <CategoryMosaic tiles={tiles} />
    </>
  )
}

function Newest({ newest }: Pick<HomePage, 'newest'>) {
  return (
    <>
      <SectionHead id="newest" title="New here" to={href('/venues-vendors')} link="All the newest" />
      <ul className="grid gap-x-6 gap-y-12 sm:grid-cols-2 xl:grid-cols-4">
        {newest.map((business) => (
          <li key={business.id}>
            <BusinessCard
              business={business}
              sizes="(min-width: 1280px) 300px, (min-width: 560px) 46vw, 90vw"
            />
          </li>
        ))}
      </ul>
    </>
  )
}

function SectionHead({ id, title, to, link }: { id: string; title: string; to: string; link: string }) {
  return (
    <div className="mb-8 flex flex-wrap items-baseline justify-between gap-x-8 gap-y-2">
      <h2 id={id}>{title}</h2>
      <Link to={to} className="link inline-flex min-h-11 items-center gap-1.5">
        {link}
        <Icon name="arrow-right" className="size-4.5" />
      </Link>
    </div>
  )
}

/** The best rated business of four categories: the first large with a quote from a customer, the others beside it. */
function Featured({ featured, quote }: Pick<HomePage, 'featured' | 'quote'>) {
  const [lead, ...others] = featured
  if (!lead) return null
  return (
    <div className="page page-wide section">
      <h2 id="featured" className="mb-8 md:mb-10">
        Loved by the people who booked them
      </h2>
      <div className="grid gap-x-14 gap-y-12 lg:grid-cols-[minmax(0,1.35fr)_minmax(0,1fr)]">
        <LeadCard business={lead} quote={quote} />
        {others.length > 0 ? (
          <ul className="flex flex-col justify-between gap-8">
            {others.map((business) => (
              <li key={business.id}>
                <BusinessRow business={business} />
              </li>
            ))}
          </ul>
        ) : null}
      </div>
    </div>
  )
}

function LeadCard({ business, quote }: { business: BusinessCardView; quote: HomePage['quote'] }) {
  return (
    <Card as="article" pressable>
      <div className="relative [--ground:var(--sunk)]">
        <Picture
          image={business.pictures[0] ?? null}
          alt=""
          ratio="3 / 2"
          sizes="(min-width: 1280px) 700px, (min-width: 1024px) 54vw, 92vw"
        />
        <CategoryTag category={business.category} />
      </div>
      <div className="mt-4 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h3 className="text-2xl">
          <CoverLink to={href('/business/:id', { id: business.id })}>{business.name}</CoverLink>
        </h3>
        {business.rating ? <RatingMark rating={business.rating} /> : null}
      </div>
      <div className="mt-1 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p className="text-quiet">{business.location}</p>
        <PriceLine pricing={business} />
      </div>
      {quote ? (
        <figure className="mt-5 border-l-3 border-glow pl-5">
          <blockquote className="font-display text-lg leading-snug">“{quote.body}”</blockquote>
          <figcaption className="mt-2 text-sm text-quiet">{quote.authorName}</figcaption>
        </figure>
      ) : null}
    </Card>
  )
}

function Occasions({ occasions }: Pick<HomePage, 'occasions'>) {
  return (
    <div className="grid gap-x-16 gap-y-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
      <div>
        <h2 id="occasions">What are you planning?</h2>
        <p className="lede mt-4">See who each one usually needs, and when to start planning.</p>
      </div>
      <ul className="grid sm:grid-cols-2 sm:gap-x-12">
        {occasions.map(({ occasion, name }) => (
          <li key={occasion} className="border-b border-line">
            <Link
              to={`${href('/events')}#${occasion}`}
              className="group flex min-h-16 items-center justify-between gap-4 py-3 font-display text-xl"
            >
              <span className="group-hover:underline group-hover:decoration-1 group-hover:underline-offset-6">
                {name}
              </span>
              <Icon
                name="arrow-right"
                className="size-5 flex-none text-brand transition-transform group-hover:translate-x-1"
              />
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

function HowItWorks({ picture, answerTime }: { picture: HomePage['vendorPicture']; answerTime: string }) {
  return (
    <>
      <h2 id="how">How it works</h2>
      <div className="mt-10">
        <NumberedSteps steps={howToBook(answerTime)} />
      </div>
      <div className="at-night mt-16 grid overflow-hidden rounded-card border border-line bg-ground text-ink md:mt-24 md:grid-cols-[minmax(0,1fr)_minmax(0,1.5fr)]">
        <Picture
          image={picture}
          alt=""
          ratio="4 / 3"
          sizes="(min-width: 1280px) 520px, (min-width: 769px) 40vw, 92vw"
          className="rounded-none! md:size-full"
        />
        <div className="p-7 sm:p-10 lg:p-14">
          <h2>You host, cook, play or plan?</h2>
          <p className="lede mt-4">People with a date and a budget are looking for you. Listing is free.</p>
          <ol className="mt-8 grid gap-5">
            {howToList(answerTime).map((step, index) => (
              <li key={step.title} className="grid grid-cols-[2.25rem_1fr] border-t border-line pt-4">
                <span className="price text-lg text-glow" aria-hidden="true">
                  {index + 1}
                </span>
                <p>
                  <span className="font-semibold">{step.title}.</span>{' '}
                  <span className="text-quiet">{step.text}</span>
                </p>
              </li>
            ))}
          </ol>
          <p className="mt-9 flex flex-wrap gap-3">
            <ButtonLink to={href('/list-your-business')} variant="brand" size="large">
              List your business
            </ButtonLink>
            <ButtonLink to={`${href('/advice-support')}#for-vendors`} variant="quiet" size="large">
              Any questions?
            </ButtonLink>
          </p>
        </div>
      </div>
    </>
  )
}
