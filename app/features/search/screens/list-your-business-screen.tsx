import type { ReactNode } from 'react'
import { href } from 'react-router'
import { ButtonLink } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Picture, type PictureImage } from '../../../ui/picture.tsx'
import { withNext } from '../../accounts/rules.ts'
import { BusinessCard } from '../../businesses/components/business-card.tsx'
import type { BusinessCardView } from '../../businesses/queries.server.ts'
import {
  LISTING_HELPS,
  LISTING_NEEDS,
  type OfferExample,
  type VendorOffer,
} from '../../payouts/offer-messages.ts'
import { NumberedSteps } from '../components/numbered-steps.tsx'

export type VendorOfferPage = {
  brand: string
  offer: VendorOffer
  /** Three listings of different categories; empty in a market without ratings. */
  businesses: readonly BusinessCardView[]
  picture: PictureImage
}

/** The form of a new listing. Visitors without an account have to sign up first. */
const FORM = href('/dashboard/list-business/new')

/** The page for visitors before the form: how listing works, what it costs and how vendors are paid. */
export function ListYourBusinessScreen({ brand, offer, businesses, picture }: VendorOfferPage) {
  return (
    <div className="page pt-10 pb-24 md:pt-16">
      <header className="grid items-center gap-x-14 gap-y-9 md:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
        <div>
          <h1 className="display">List your business</h1>
          <p className="lede mt-5">
            You host, cook, play or plan. On {brand}, people book you for their day and pay by card when they
            book. You decide which bookings you take.
          </p>
          <Actions />
        </div>
        <Picture
          image={picture}
          alt=""
          ratio="4 / 3"
          sizes="(min-width: 1280px) 600px, (min-width: 769px) 47vw, 92vw"
          priority
        />
      </header>
      <Part id="how" title="How it works">
        <NumberedSteps steps={offer.steps} />
      </Part>
      <Part id="costs" title="What it costs">
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-16 gap-y-10 lg:grid-cols-[minmax(0,1.5fr)_minmax(0,1fr)]">
          <Points points={offer.costs} />
          {offer.example ? <Example example={offer.example} /> : null}
        </div>
      </Part>
      <Part id="money" title="How the money comes">
        <Points points={offer.money} />
      </Part>
      {businesses.length > 0 ? (
        <Part id="listings" title="What a listing looks like">
          <ul className="grid gap-x-8 gap-y-12 sm:grid-cols-2 lg:grid-cols-3">
            {businesses.map((business) => (
              <li key={business.id}>
                <BusinessCard business={business} heading="h3" />
              </li>
            ))}
          </ul>
        </Part>
      ) : null}
      <Part id="needs" title="What you need">
        <div className="grid gap-x-16 gap-y-10 md:grid-cols-2">
          <Needs title="To be listed" needs={LISTING_NEEDS} />
          <Needs title="To be chosen" needs={LISTING_HELPS} />
        </div>
        <Actions again />
      </Part>
    </div>
  )
}

/** @param again whether they repeat those at the top, which has the screen's one primary button */
function Actions({ again = false }: { again?: boolean }) {
  return (
    <p className="mt-9 flex flex-wrap gap-3">
      <ButtonLink to={withNext(href('/signup'), FORM)} variant={again ? 'brand' : 'primary'} size="large">
        Sign up and list
      </ButtonLink>
      <ButtonLink to={withNext(href('/login'), FORM)} size="large">
        Log In
      </ButtonLink>
      <ButtonLink to={`${href('/advice-support')}#for-vendors`} variant="quiet" size="large">
        Any questions?
      </ButtonLink>
    </p>
  )
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={`${id}-title`} className="mt-16 md:mt-24">
      <h2 id={`${id}-title`} className="mb-8">
        {title}
      </h2>
      {children}
    </section>
  )
}

function Points({ points }: { points: VendorOffer['money'] }) {
  return (
    <dl>
      {points.map(({ title, text }) => (
        <div
          key={title}
          className="grid gap-x-10 gap-y-1 border-t border-line py-5 sm:grid-cols-[170px_minmax(0,1fr)]"
        >
          <dt className="font-display text-lg text-brand">{title}</dt>
          <dd className="max-w-prose">{text}</dd>
        </div>
      ))}
    </dl>
  )
}

function Example({ example: { price, commission, yours } }: { example: NonNullable<OfferExample> }) {
  return (
    <div className="rounded-card bg-brand-soft p-4 sm:p-6">
      <table className="figures w-full text-left">
        <caption className="pb-2 text-left text-sm text-quiet">A booking, for example</caption>
        <tbody>
          <tr>
            <th scope="row" className="py-3 font-normal">
              The customer pays
            </th>
            <td className="py-3 text-right">{price}</td>
          </tr>
          <tr>
            <th scope="row" className="py-3 font-normal">
              Our commission
            </th>
            <td className="py-3 text-right">−{commission}</td>
          </tr>
          <tr className="border-t border-line-strong">
            <th scope="row" className="pt-4 font-semibold">
              You receive
            </th>
            <td className="price pt-4 text-right text-xl sm:text-2xl">{yours}</td>
          </tr>
        </tbody>
      </table>
    </div>
  )
}

function Needs({ title, needs }: { title: string; needs: readonly string[] }) {
  return (
    <div>
      <h3 className="text-lg">{title}</h3>
      <ul className="mt-3">
        {needs.map((need) => (
          <li key={need} className="grid grid-cols-[1.1rem_1fr] gap-3 border-t border-line py-2.5">
            <Icon name="check" className="mt-1 size-4.5 text-brand" />
            {need}
          </li>
        ))}
      </ul>
    </div>
  )
}
