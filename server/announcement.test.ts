import { describe, expect, it } from 'vitest'
import { readConfig } from '../app/config.server.ts'
import { demoAccounts } from '../content/demo/fill.ts'
import { hostedSettings } from '../tests/firebase-server.ts'
import { announcementOf } from './announcement.ts'

const HOSTED = hostedSettings({ projectId: 'demo-jubilee', url: 'http://127.0.0.1:9099' })
// With both, the settings write no file. The push key is the example of RFC 8291, appendix A.
const KEYS = {
  SECRET: 'only-for-this-test-only-for-this-test',
  PUSH_PRIVATE_KEY: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
}

const announced = (env: Record<string, string>) =>
  announcementOf(readConfig({ ...KEYS, ...env }), demoAccounts).join('\n')

describe('the announcement of a start', () => {
  it('names the demo’s accounts with the password that opens them', () => {
    const text = announced({})
    for (const { email, password } of demoAccounts) expect(text).toContain(`${email}  password ${password}`)
    const key = /[\w-]{43}/.source
    expect(text).toMatch(new RegExp(`http://localhost:3000/outbox\\?key=${key}$`, 'm'))
    expect(text).toMatch(new RegExp(`http://localhost:3000/sandbox\\?key=${key}$`, 'm'))
  })

  it('names the sandbox’s address outside the demo too, where it is open', () => {
    const settings = { DATABASE_URL: 'postgres://localhost/jubilee', PAYMENTS: 'sandbox', MAIL: 'outbox' }
    expect(announced({ ...settings, PUBLIC_URL: 'http://localhost:3000' })).toContain('/sandbox?key=')
    expect(announced({ ...settings, PUBLIC_URL: 'https://market.example' })).not.toContain('/sandbox')
  })

  it('names no account or password of the demo with hosted sign-in, which knows neither', () => {
    const text = announced(HOSTED)
    for (const { email } of demoAccounts) expect(text).not.toContain(email)
    expect(text).not.toContain('celebrate')
    expect(text).toContain('Sign up with another email: http://localhost:3000/signup')
    expect(text).toContain('OPERATOR_EMAILS')
    expect(text).toContain('http://localhost:3000/outbox')
  })

  it('names neither accounts nor mails outside the demo', () => {
    const text = announced({
      DATABASE_URL: 'postgres://localhost/jubilee',
      PUBLIC_URL: 'https://market.example',
      PAYMENTS: 'sandbox',
      MAIL: 'outbox',
    })
    expect(text).not.toContain('jubilee.example')
    expect(text).not.toContain('/outbox')
    expect(text).toContain('Payments are in test mode')
  })
})
