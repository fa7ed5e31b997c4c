import { createHash } from 'node:crypto'

/** The origins that a third-party service needs in a page's policy. */
export type Origins = {
  script?: readonly string[]
  connect?: readonly string[]
  frame?: readonly string[]
  image?: readonly string[]
  /** The origins to which forms may be submitted. */
  form?: readonly string[]
}

/** The origins that Stripe documents for Stripe.js (docs.stripe.com/security/guide, 'Content security policy'). */
export const STRIPE_ORIGINS: Origins = {
  script: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  connect: ['https://api.stripe.com'],
  frame: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
}

/** The origin of Stripe's form for vendors' accounts, to which a form of ours redirects. */
export const STRIPE_PAYOUT_ORIGINS: Origins = { form: ['https://connect.stripe.com'] }

/**
 * The origins of Firebase Auth with email and password, and of reCAPTCHA, which it loads if the project uses it. With an
 * emulator, the emulator's alone: a test's page then can't reach a real project.
 */
export function firebaseAuthOrigins(emulatorUrl: string | null): Origins {
  if (emulatorUrl) return { connect: [new URL(emulatorUrl).origin] }
  return {
    script: ['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/'],
    connect: [
      'https://identitytoolkit.googleapis.com',
      'https://securetoken.googleapis.com',
      'https://www.google.com/recaptcha/',
    ],
    frame: ['https://www.google.com/recaptcha/', 'https://recaptcha.google.com/recaptcha/'],
  }
}

/**
 * The origins of Firebase's installations and configuration, and those that Google documents for its tag
 * (developers.google.com/tag-platform/security/guides/csp).
 */
export const ANALYTICS_ORIGINS: Origins = {
  script: ['https://*.googletagmanager.com'],
  connect: [
    'https://firebase.googleapis.com',
    'https://firebaseinstallations.googleapis.com',
    'https://*.google-analytics.com',
    'https://*.analytics.google.com',
    'https://*.googletagmanager.com',
  ],
  image: ['https://*.google-analytics.com', 'https://*.googletagmanager.com'],
}

/** The origin of the operator's own map: its style, tiles, glyphs and sprites. */
export function mapOrigins(styleUrl: string): Origins {
  const { origin } = new URL(styleUrl)
  return { connect: [origin], image: [origin] }
}

/**
 * Finds the inline scripts that our own document put into a page, and removes their nonce. A script that was injected
 * through people's input has no such nonce.
 * @param html the whole document
 * @param mark the random nonce of this rendering
 * @returns the document in pieces, each a part of the text as it is: joined, it would be copied once more
 */
export function takeMarkedScripts(html: string, mark: string): { pieces: string[]; scripts: string[] } {
  const pieces = html.split(` nonce="${mark}"`)
  const scripts = pieces.slice(0, -1).flatMap((before, at) => {
    const after = pieces[at + 1] ?? ''
    const attributesEnd = after.indexOf('>')
    const tag = before.slice(before.lastIndexOf('<')) + after.slice(0, attributesEnd)
    const end = after.indexOf('</script>', attributesEnd)
    return tag.startsWith('<script') && !/\ssrc=/.test(tag) && end >= 0
      ? [after.slice(attributesEnd + 1, end)]
      : []
  })
  return { pieces, scripts }
}

/** Most scripts of a document are the same in every other; only the longest, the loaders' data, seldom is. */
const MAX_REMEMBERED_SCRIPTS = 500
const MAX_REMEMBERED_LENGTH = 4_096
const hashes = new Map<string, string>()

function hashOf(script: string): string {
  const known = hashes.get(script)
  if (known) return known
  const source = `'sha256-${createHash('sha256').update(script).digest('base64')}'`
  if (script.length > MAX_REMEMBERED_LENGTH) return source
  if (hashes.size >= MAX_REMEMBERED_SCRIPTS) hashes.clear()
  hashes.set(script, source)
  return source
}

/**
 * The content security policy of one document. Its own inline scripts are allowed by their hashes, so that the page can
 * be cached and sent to everyone, which a nonce would prevent.
 * @param scripts the inline scripts, as sent
 * @param others the origins of the configured third-party services
 */
export function contentSecurityPolicy(scripts: readonly string[], others: readonly Origins[] = []): string {
  const add = (kind: keyof Origins) => [...new Set(others.flatMap((origins) => origins[kind] ?? []))]
  const own = new Set(scripts.map(hashOf))
  return [
    "default-src 'self'",
    ["script-src 'self'", ...own, ...add('script')].join(' '),
    // Server-rendered components have style attributes. Style sheets come only from our own files.
    "style-src-elem 'self'",
    "style-src-attr 'unsafe-inline'",
    ["img-src 'self' data: blob:", ...add('image')].join(' '),
    "font-src 'self'",
    // The map's worker is a file of ours.
    "worker-src 'self'",
    ["connect-src 'self'", ...add('connect')].join(' '),
    ["frame-src 'self'", ...add('frame')].join(' '),
    ["form-action 'self'", ...add('form')].join(' '),
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
  ].join('; ')
}

/**
 * The headers of every response.
 * @param secure whether the public URL uses TLS
 */
export function securityHeaders(secure: boolean): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(self), payment=(self)',
    'cross-origin-opener-policy': 'same-origin',
    ...(secure ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  }
}
