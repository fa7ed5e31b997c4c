import { z } from 'zod'
import {
  DECLINE_BEFORE_EVENT_MS,
  DECLINE_UNDECIDED_AFTER_MS,
  REMIND_BEFORE_EVENT_MS,
  REMIND_VENDOR_AFTER_MS,
  type UndecidedTimes,
} from '../features/bookings/decisions/rules.ts'
import { MAX_LISTINGS } from '../features/businesses/rules.ts'
import { NEAR_KM } from '../features/search/rules.ts'
import { HOUR_MS } from '../shared/time-units.ts'
import { seconds, text } from './checks.server.ts'

/** The settings of the site: its name, contact, listings, searches and reminders. */
export const siteEnvironment = z.object({
  BRAND: text.min(1).default('Jubilee'),
  CONTACT_ADDRESS: text.default('1 Sample Street, Melbourne VIC 3000 (sample address)'),
  CONTACT_PHONE: text.default('(03) 5550 0100'),
  CONTACT_EMAIL: text.default('hello@jubilee.example'),
  FACEBOOK_URL: z.url().default('https://www.facebook.com/'),
  INSTAGRAM_URL: z.url().default('https://www.instagram.com/'),
  TIKTOK_URL: z.url().default('https://www.tiktok.com/'),
  YOUTUBE_URL: z.url().default('https://www.youtube.com/'),
  REMIND_VENDOR_AFTER_SECONDS: seconds.default(REMIND_VENDOR_AFTER_MS / 1_000),
  DECLINE_AFTER_SECONDS: seconds.default(DECLINE_UNDECIDED_AFTER_MS / 1_000),
  DECLINE_BEFORE_EVENT_SECONDS: seconds.default(DECLINE_BEFORE_EVENT_MS / 1_000),
  REMINDER_HOURS: z.coerce
    .number()
    .positive()
    .max(8_760)
    .default(REMIND_BEFORE_EVENT_MS / HOUR_MS),
  NEAR_KM: z.coerce.number().positive().max(1_000).default(NEAR_KM),
  MAP_STYLE_URL: z
    .url({
      protocol: /^https?$/,
      error: 'must be the address of a MapLibre style, like https://tiles.example/style.json',
    })
    .optional(),
  ABR_GUID: z
    .guid({ error: 'must be the GUID that the Australian Business Register has given you' })
    .optional(),
  MAX_LISTINGS: z.coerce.number().int().min(1).max(10_000).default(MAX_LISTINGS),
})

/** The site's name and contact, and the limits of listings, searches and undecided bookings. */
export type SiteConfig = {
  brand: string
  contact: { address: string; phone: string; email: string }
  social: { facebook: string; instagram: string; tiktok: string; youtube: string }
  /** Decision 7: when an undecided booking is reminded of, and when it is declined. */
  undecided: UndecidedTimes
  /** How long before an event both sides get a reminder. */
  remindBeforeEventMs: number
  /** The register that checks vendors' ABNs. 'none' leaves registrations unchecked. */
  businessRegister: { provider: 'abr'; guid: string } | { provider: 'sandbox' } | { provider: 'none' }
  /** The maximum number of listings per account. */
  maxListings: number
  /** The radius of a 'near' search, as the crow flies. */
  nearKm: number
  /** The operator's own map, a MapLibre style with everything on its origin; null for the embedded map. */
  mapStyleUrl: string | null
}

/** Reads the settings of the site. */
export function siteConfig(set: z.output<typeof siteEnvironment>, { demo }: { demo: boolean }): SiteConfig {
  return {
    businessRegister: set.ABR_GUID
      ? { provider: 'abr', guid: set.ABR_GUID }
      : { provider: demo ? 'sandbox' : 'none' },
    brand: set.BRAND,
    contact: { address: set.CONTACT_ADDRESS, phone: set.CONTACT_PHONE, email: set.CONTACT_EMAIL },
    social: {
      facebook: set.FACEBOOK_URL,
      instagram: set.INSTAGRAM_URL,
      tiktok: set.TIKTOK_URL,
      youtube: set.YOUTUBE_URL,
    },
    undecided: {
      remindAfterMs: set.REMIND_VENDOR_AFTER_SECONDS * 1_000,
      declineAfterMs: set.DECLINE_AFTER_SECONDS * 1_000,
      declineBeforeEventMs: set.DECLINE_BEFORE_EVENT_SECONDS * 1_000,
    },
    remindBeforeEventMs: Math.round(set.REMINDER_HOURS * HOUR_MS),
    maxListings: set.MAX_LISTINGS,
    nearKm: set.NEAR_KM,
    mapStyleUrl: set.MAP_STYLE_URL ?? null,
  }
}
