import { describe, expect, it } from 'vitest'
import {
  ANALYTICS_ORIGINS,
  contentSecurityPolicy,
  firebaseAuthOrigins,
  STRIPE_ORIGINS,
} from './security-headers.ts'

const directives = (policy: string) => new Map(policy.split('; ').map((part) => [part.split(' ')[0], part]))

describe('contentSecurityPolicy', () => {
  const html = '<script>one()</script><script src="/assets/x.js"></script>'

  it('lets nobody else in where nothing is configured', () => {
    const policy = contentSecurityPolicy(html)
    expect(policy).not.toContain('https:')
    expect(directives(policy).get('script-src')).toMatch(/^script-src 'self' 'sha256-[^']+'$/)
  })

  it('names no hash of data, which is never run, but one of every script beside it', () => {
    const data = '<script type="application/ld+json">{"@type":"WebSite"}</script>'
    expect(contentSecurityPolicy(data + html)).toBe(contentSecurityPolicy(html))
    const two = directives(contentSecurityPolicy(`${data}${html}<script type="module">two()</script>`))
    expect(two.get('script-src')?.match(/sha256-/g)).toHaveLength(2)
  })

  it('lets through exactly what Stripe documents', () => {
    const policy = directives(contentSecurityPolicy(html, [STRIPE_ORIGINS]))
    expect(policy.get('script-src')).toMatch(
      /^script-src 'self' 'sha256-[^']+' https:\/\/js\.stripe\.com https:\/\/\*\.js\.stripe\.com$/,
    )
    expect(policy.get('frame-src')).toBe(
      "frame-src 'self' https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com",
    )
    expect(policy.get('connect-src')).toBe("connect-src 'self' https://api.stripe.com")
    expect(policy.get('default-src')).toBe("default-src 'self'")
  })

  it('lets through what sign-in and analytics call, each alone', () => {
    const signIn = directives(contentSecurityPolicy(html, [firebaseAuthOrigins(null)]))
    expect(signIn.get('connect-src')).toBe(
      "connect-src 'self' https://identitytoolkit.googleapis.com https://securetoken.googleapis.com https://www.google.com/recaptcha/",
    )
    expect(signIn.get('img-src')).toBe("img-src 'self' data: blob:")
    const analytics = directives(contentSecurityPolicy(html, [ANALYTICS_ORIGINS]))
    expect(analytics.get('script-src')).toMatch(/'sha256-[^']+' https:\/\/\*\.googletagmanager\.com$/)
    expect(analytics.get('connect-src')).not.toContain('identitytoolkit')
    expect(analytics.get('frame-src')).toBe("frame-src 'self'")
  })
})
