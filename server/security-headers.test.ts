import { describe, expect, it } from 'vitest'
import {
  ANALYTICS_ORIGINS,
  contentSecurityPolicy,
  firebaseAuthOrigins,
  mapOrigins,
  STRIPE_ORIGINS,
  securityHeaders,
  takeMarkedScripts,
} from './security-headers.ts'

const directives = (policy: string) => new Map(policy.split('; ').map((part) => [part.split(' ')[0], part]))

describe('contentSecurityPolicy', () => {
  const scripts = ['one()']

  it('allows no other origin by default', () => {
    const policy = contentSecurityPolicy(scripts)
    expect(policy).not.toContain('https:')
    expect(directives(policy).get('script-src')).toMatch(/^script-src 'self' 'sha256-[^']+'$/)
  })

  it('allows exactly the origins that Stripe documents', () => {
    const policy = directives(contentSecurityPolicy(scripts, [STRIPE_ORIGINS]))
    expect(policy.get('script-src')).toMatch(
      /^script-src 'self' 'sha256-[^']+' https:\/\/js\.stripe\.com https:\/\/\*\.js\.stripe\.com$/,
    )
    expect(policy.get('frame-src')).toBe(
      "frame-src 'self' https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com",
    )
    expect(policy.get('connect-src')).toBe("connect-src 'self' https://api.stripe.com")
    expect(policy.get('default-src')).toBe("default-src 'self'")
  })

  it('allows an emulator in place of the sign-in service, and only with that setting', () => {
    const policy = directives(contentSecurityPolicy(scripts, [firebaseAuthOrigins('http://127.0.0.1:9099')]))
    expect(policy.get('connect-src')).toBe("connect-src 'self' http://127.0.0.1:9099")
    expect(policy.get('frame-src')).toBe("frame-src 'self'")
    expect(policy.get('script-src')).toMatch(/^script-src 'self' 'sha256-[^']+'$/)
    expect(contentSecurityPolicy(scripts, [firebaseAuthOrigins(null)])).not.toMatch(/http:/)
  })

  it('allows the origins of sign-in and analytics separately', () => {
    const signIn = directives(contentSecurityPolicy(scripts, [firebaseAuthOrigins(null)]))
    expect(signIn.get('connect-src')).toBe(
      "connect-src 'self' https://identitytoolkit.googleapis.com https://securetoken.googleapis.com https://www.google.com/recaptcha/",
    )
    expect(signIn.get('img-src')).toBe("img-src 'self' data: blob:")
    const analytics = directives(contentSecurityPolicy(scripts, [ANALYTICS_ORIGINS]))
    expect(analytics.get('script-src')).toMatch(/'sha256-[^']+' https:\/\/\*\.googletagmanager\.com$/)
    expect(analytics.get('connect-src')).not.toContain('identitytoolkit')
    expect(analytics.get('frame-src')).toBe("frame-src 'self'")
  })
})

describe('the policy of a page with a map', () => {
  it('starts workers from our own files alone', () => {
    expect(directives(contentSecurityPolicy([])).get('worker-src')).toBe("worker-src 'self'")
  })

  it("allows the origin of the operator's style, and no other", () => {
    const policy = directives(
      contentSecurityPolicy([], [mapOrigins('https://tiles.example:8443/styles/light.json?key=1')]),
    )
    expect(policy.get('connect-src')).toBe("connect-src 'self' https://tiles.example:8443")
    expect(policy.get('img-src')).toBe("img-src 'self' data: blob: https://tiles.example:8443")
    for (const name of ['default-src', 'script-src', 'worker-src', 'frame-src'])
      expect(policy.get(name), name).not.toContain('tiles.example')
  })
})

describe('securityHeaders', () => {
  const always = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(self), payment=(self)',
    'cross-origin-opener-policy': 'same-origin',
  }

  it('tell browsers to use https for a year, on a site that has it', () => {
    expect(securityHeaders(true)).toEqual({
      ...always,
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    })
    expect(securityHeaders(false)).toEqual(always)
  })

  it('come with a policy that forbids frames, plugins and another base', () => {
    const policy = directives(contentSecurityPolicy([]))
    expect(policy.get('frame-ancestors')).toBe("frame-ancestors 'none'")
    expect(policy.get('object-src')).toBe("object-src 'none'")
    expect(policy.get('base-uri')).toBe("base-uri 'none'")
    expect(policy.get('form-action')).toBe("form-action 'self'")
    expect(policy.get('script-src')).toBe("script-src 'self'")
  })
})

describe("the document's own inline scripts", () => {
  const MARK = 'c2VjcmV0IG9mIG9uZQ'
  const own = `<script nonce="${MARK}">one()</script><script type="module" async="" nonce="${MARK}">two()</script>`
  const file = `<script nonce="${MARK}" src="/assets/x.js"></script>`
  const data = '<script type="application/ld+json">{"@type":"WebSite"}</script>'

  it('have the nonce of this rendering, which is then removed', () => {
    const { pieces, scripts } = takeMarkedScripts(`${data}${own}${file}`, MARK)
    expect(pieces.join('')).toBe(
      `${data}<script>one()</script><script type="module" async="">two()</script><script src="/assets/x.js"></script>`,
    )
    expect(scripts).toEqual(['one()', 'two()'])
  })

  it.each([
    '<script>evil()</script>',
    '<script nonce="">evil()</script>',
    '<script nonce="b3RoZXI">evil()</script>',
    '<script type="module">evil()</script>',
    '<SCRIPT>evil()</SCRIPT>',
    '<script title=">evil()//">evil()</script>',
    `<p title='nonce="${'x'.repeat(18)}"'><script>evil()</script>`,
    '<script>evil()',
    '<script title="',
  ])('never include an injected script: %j', (injected) => {
    const { scripts } = takeMarkedScripts(`${injected}${own}`, MARK)
    expect(scripts.join()).not.toContain('evil')
    for (const script of scripts) expect(['one()', 'two()']).toContain(script)
  })
})
