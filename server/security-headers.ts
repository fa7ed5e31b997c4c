import { createHash } from 'node:crypto'

const SCRIPT = /<script([^>]*)>([\s\S]*?)<\/script>/g

/** What a service of others needs in a page's policy. */
export type Origins = {
  script?: readonly string[]
  connect?: readonly string[]
  frame?: readonly string[]
  image?: readonly string[]
}

/** Exactly what Stripe documents for Stripe.js (docs.stripe.com/security/guide, 'Content security policy'). */
export const STRIPE_ORIGINS: Origins = {
  script: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  connect: ['https://api.stripe.com'],
  frame: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
}

/** What Firebase Auth calls with e-mail and password, and reCAPTCHA, which it loads where the project asks for it. */
export function firebaseAuthOrigins(emulatorUrl: string | null): Origins {
  return {
    script: ['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/'],
    connect: [
      'https://identitytoolkit.googleapis.com',
      'https://securetoken.googleapis.com',
      'https://www.google.com/recaptcha/',
      ...(emulatorUrl ? [new URL(emulatorUrl).origin] : []),
    ],
    frame: ['https://www.google.com/recaptcha/', 'https://recaptcha.google.com/recaptcha/'],
  }
}

/** Installations, the configuration, and what Google documents for its tag (developers.google.com/tag-platform/security/guides/csp). */
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

/**
 * Finds the inline scripts that our own document put into a page, and takes their mark off. A script that got into the
 * page by another way, through something that people typed, has no mark.
 * @param html the whole document
 * @param mark the random nonce of this rendering
 */
export function takeMarkedScripts(html: string, mark: string): { html: string; scripts: string[] } {
  const nonce = ` nonce="${mark}"`
  const scripts = [...html.matchAll(SCRIPT)].flatMap(([, attributes = '', script = '']) =>
    attributes.includes(nonce) && !/\ssrc=/.test(attributes) ? [script] : [],
  )
  return { html: html.replaceAll(nonce, ''), scripts }
}

/**
 * The policy of one document. Its own inline scripts are allowed by their hashes, so the same page can be kept and
 * sent to everybody, which a nonce would forbid.
 * @param scripts the inline scripts, as they are sent
 * @param others what services of others need, where they are configured
 */
export function contentSecurityPolicy(scripts: readonly string[], others: readonly Origins[] = []): string {
  const add = (kind: keyof Origins) => [...new Set(others.flatMap((origins) => origins[kind] ?? []))]
  const hashes = new Set(
    scripts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`),
  )
  return [
    "default-src 'self'",
    ["script-src 'self'", ...hashes, ...add('script')].join(' '),
    // Style attributes come from server-rendered components; style elements are files of ours alone.
    "style-src-elem 'self'",
    "style-src-attr 'unsafe-inline'",
    ["img-src 'self' data: blob:", ...add('image')].join(' '),
    "font-src 'self'",
    ["connect-src 'self'", ...add('connect')].join(' '),
    ["frame-src 'self'", ...add('frame')].join(' '),
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
  ].join('; ')
}

/**
 * The headers that every answer carries.
 * @param secure whether people reach us by TLS
 */
export function securityHeaders(secure: boolean): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(self)',
    'cross-origin-opener-policy': 'same-origin',
    ...(secure ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  }
}
