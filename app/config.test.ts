import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findWarnings } from './config/accounts.server.ts'
import { readConfig, SettingsError } from './config.server.ts'
import { DAY_MS, HOUR_MS } from './shared/time-units.ts'

const keys = {
  STRIPE_SECRET_KEY: 'sk_test_0000000000',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_0000000000',
  STRIPE_WEBHOOK_SECRET: 'whsec_0000000000',
}
const real = {
  DATABASE_URL: 'postgres://jubilee@db/jubilee',
  PUBLIC_URL: 'https://jubilee.example',
  SECRET: 'only-for-this-test-only-for-this-test',
  SMTP_URL: 'smtp://mail.jubilee.example',
}
/** The private key of the example of RFC 8291, appendix A. */
const PUSH_KEY = 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'
// With both, no file is written.
const demo = { SECRET: real.SECRET, PUSH_PRIVATE_KEY: PUSH_KEY }

/** The message of a refused start, or 'started'. */
function refusal(env: Record<string, string>): string {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof SettingsError) return error.message
    throw error
  }
  return 'started'
}

describe('the business register', () => {
  const GUID = '6fa459ea-ee8a-4ca4-894e-db77e160355e'

  it('needs a GUID: without one the demo uses a table, and any other site asks nothing', () => {
    expect(readConfig({ ...demo, ABR_GUID: GUID }).businessRegister).toEqual({ provider: 'abr', guid: GUID })
    expect(readConfig({ ...real, ...keys, ABR_GUID: GUID }).businessRegister.provider).toBe('abr')
    expect(readConfig(demo).businessRegister).toEqual({ provider: 'sandbox' })
    expect(readConfig({ ...real, ...keys }).businessRegister).toEqual({ provider: 'none' })
    expect(refusal({ ...demo, ABR_GUID: 'guid' })).toContain('ABR_GUID: must be the GUID')
  })
})

describe('the settings of payments', () => {
  it('select Stripe when its three settings are set, and the sandbox in the demo', () => {
    expect(readConfig({ ...real, ...keys }).payments).toEqual({
      provider: 'stripe',
      secretKey: keys.STRIPE_SECRET_KEY,
      publishableKey: keys.STRIPE_PUBLISHABLE_KEY,
      webhookSecret: keys.STRIPE_WEBHOOK_SECRET,
    })
    expect(readConfig(demo).payments.provider).toBe('sandbox')
    expect(readConfig({ ...demo, ...keys }).payments.provider).toBe('stripe')
    expect(readConfig({ ...demo, ...keys, PAYMENTS: 'sandbox' }).payments.provider).toBe('sandbox')
  })

  it('ignore PAYMENT_SERVICE_URL', () => {
    expect(refusal({ ...demo, PAYMENT_SERVICE_URL: 'no address' })).toBe('started')
  })

  it.each(Object.keys(keys))('refuse a start when only %s is missing', (missing) => {
    const half = Object.fromEntries(Object.entries(keys).filter(([name]) => name !== missing))
    for (const env of [real, demo, { ...real, PAYMENTS: 'stripe' }, { ...real, PAYMENTS: 'sandbox' }])
      expect(refusal({ ...env, ...half })).toContain(`${missing}: missing`)
  })

  it('refuse a real deployment without keys unless PAYMENTS is sandbox', () => {
    expect(refusal(real)).toContain(
      'STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET: needed',
    )
    expect(refusal({ ...real, PAYMENTS: 'stripe' })).toContain('PAYMENTS=stripe: needs STRIPE_SECRET_KEY')
    expect(readConfig({ ...real, PAYMENTS: 'sandbox' }).payments.provider).toBe('sandbox')
  })

  it('refuse keys of two modes, live keys over http and malformed keys', () => {
    expect(refusal({ ...real, ...keys, STRIPE_PUBLISHABLE_KEY: 'pk_live_000' })).toContain(
      'STRIPE_PUBLISHABLE_KEY: belongs to another mode',
    )
    const live = { ...keys, STRIPE_SECRET_KEY: 'sk_live_0', STRIPE_PUBLISHABLE_KEY: 'pk_live_0' }
    expect(refusal({ ...real, ...live, PUBLIC_URL: 'http://jubilee.example' })).toContain(
      'PUBLIC_URL: must be https',
    )
    expect(refusal({ ...real, ...live })).toBe('started')
    expect(refusal({ ...real, ...keys, STRIPE_SECRET_KEY: 'pk_test_0' })).toContain(
      'STRIPE_SECRET_KEY: must look like',
    )
  })

  it('allow CRASH_AT only in the demo and in tests', () => {
    expect(readConfig({ ...demo, CRASH_AT: 'settled' }).crashAt).toBe('settled')
    const deployed = { ...real, ...keys, CRASH_AT: 'settled' }
    expect(refusal(deployed)).toContain('CRASH_AT: only for tests')
    expect(readConfig({ ...deployed, NODE_ENV: 'test' }).crashAt).toBe('settled')
    expect(readConfig(demo).crashAt).toBeNull()
  })

  it("have Decision 7's times by default, and can change them", () => {
    expect(readConfig(demo).undecided).toEqual({
      remindAfterMs: DAY_MS,
      declineAfterMs: 172_800_000,
      declineBeforeEventMs: DAY_MS,
    })
    expect(readConfig({ ...demo, DECLINE_AFTER_SECONDS: '3600' }).undecided.declineAfterMs).toBe(3_600_000)
  })
})

describe('the settings of the replica', () => {
  const replica = { DATABASE_READ_URL: 'postgres://jubilee@standby/jubilee' }

  it('default to no replica, and allow data of ten seconds ago', () => {
    expect(readConfig({ ...real, ...keys }).replica).toBeNull()
    expect(readConfig({ ...real, ...keys, ...replica }).replica).toEqual({
      url: 'postgres://jubilee@standby/jubilee',
      maxLagMs: 10_000,
    })
    const longer = { ...replica, DATABASE_READ_LAG_SECONDS: '60' }
    expect(readConfig({ ...real, ...keys, ...longer }).replica?.maxLagMs).toBe(60_000)
  })

  it('refuse an address that can be no standby of the database', () => {
    const refused = (changed: Record<string, string>) => refusal({ ...real, ...keys, ...replica, ...changed })
    for (const DATABASE_READ_URL of ['mysql://db/jubilee', 'postgres://one,two/jubilee', 'standby'])
      expect(refused({ DATABASE_READ_URL })).toContain(
        'DATABASE_READ_URL: must be a postgres:// address of one',
      )
    expect(refused({ DATABASE_READ_URL: real.DATABASE_URL })).toContain('DATABASE_READ_URL: must be another')
    expect(refused({ DATABASE_URL: '' })).toContain('DATABASE_READ_URL: only with DATABASE_URL')
    expect(refused({ DATABASE_READ_LAG_SECONDS: '1' })).toContain('DATABASE_READ_LAG_SECONDS: ')
  })
})

describe('the key for push services', () => {
  it('turns notifications on outside the demo, and its public key follows from it', () => {
    expect(readConfig({ ...real, ...keys }).pushKeys).toBeNull()
    expect(readConfig({ ...real, ...keys, PUSH_PRIVATE_KEY: PUSH_KEY }).pushKeys).toEqual({
      privateKey: PUSH_KEY,
      publicKey: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    })
  })

  it('stays the same in the demo once it is generated', () => {
    const folder = mkdtempSync(join(tmpdir(), 'jubilee-keys-'))
    try {
      const env = { ...demo, PUSH_PRIVATE_KEY: '', DATA_DIR: folder }
      const { pushKeys } = readConfig(env)
      expect(pushKeys).not.toBeNull()
      expect(readConfig(env).pushKeys).toEqual(pushKeys)
      expect(statSync(join(folder, 'push-key')).mode & 0o777).toBe(0o600)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it.each(['short', 'A'.repeat(43)])('can’t be %s', (key) => {
    expect(() => readConfig({ ...real, ...keys, PUSH_PRIVATE_KEY: key })).toThrow(
      'PUSH_PRIVATE_KEY: must be a private key',
    )
  })
})

describe('the settings of the commission', () => {
  it('default to a commission of 10 % without GST, and to a reserve of 10 %', () => {
    expect(readConfig({ ...real, ...keys })).toMatchObject({
      commissionBasisPoints: 1_000,
      reserveBasisPoints: 1_000,
      platform: { name: null, abn: null, isGstRegistered: false },
    })
    expect(readConfig({ ...demo, ...keys }).platform).toEqual({
      name: null,
      abn: null,
      isGstRegistered: false,
    })
    const own = {
      COMMISSION_BP: '0',
      RESERVE_BP: '10000',
      PLATFORM_NAME: 'Long Table Pty Ltd',
      PLATFORM_ABN: '51 824 753 556',
      PLATFORM_GST: '1',
    }
    expect(readConfig({ ...demo, ...own })).toMatchObject({
      commissionBasisPoints: 0,
      reserveBasisPoints: 10_000,
      platform: { name: 'Long Table Pty Ltd', abn: '51824753556', isGstRegistered: true },
    })
  })

  it.each([
    ['COMMISSION_BP', '-1'],
    ['COMMISSION_BP', '10001'],
    ['COMMISSION_BP', '12.5'],
    ['COMMISSION_BP', 'ten'],
    ['RESERVE_BP', '10001'],
    ['PLATFORM_ABN', '51 824 753 557'],
    ['PLATFORM_ABN', '5182475355'],
    ['PLATFORM_GST', 'yes'],
  ])('refuse %s=%s', (name, value) => {
    expect(refusal({ ...demo, [name]: value })).toContain(`${name}: `)
  })

  it('default to an operator registered for GST in the demo, unless they say otherwise', () => {
    expect(readConfig(demo).platform).toEqual({ name: null, abn: '51824753556', isGstRegistered: true })
    expect(readConfig({ ...demo, PLATFORM_GST: '0' }).platform.isGstRegistered).toBe(false)
  })

  it('refuse GST without the ABN that it is registered for', () => {
    expect(refusal({ ...real, ...keys, PLATFORM_GST: '1' })).toContain(
      'PLATFORM_ABN: needed with PLATFORM_GST=1',
    )
  })
})

describe('the settings of payouts', () => {
  const webhooks = {
    STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_1111111111',
    STRIPE_ACCOUNTS_WEBHOOK_SECRET: 'whsec_2222222222',
  }
  const stripe = { ...keys, ...webhooks, PAYOUTS: 'stripe' }
  const onTestPayments = { ...real, PAYMENTS: 'sandbox' }

  it('pay vendors in the demo’s sandbox, and nowhere else unless PAYOUTS says so', () => {
    const chosen = (env: Record<string, string>) => readConfig(env).payouts.provider
    expect(chosen(demo)).toBe('sandbox')
    expect(chosen({ ...demo, PAYOUTS: 'off' })).toBe('off')
    expect(chosen({ ...demo, ...keys })).toBe('off')
    expect(chosen(onTestPayments)).toBe('off')
    expect(chosen({ ...onTestPayments, PAYOUTS: 'sandbox' })).toBe('sandbox')
    expect(chosen({ ...real, ...keys })).toBe('off')
    expect(chosen({ ...real, ...keys, ...webhooks })).toBe('off')
    expect(readConfig({ ...real, ...stripe }).payouts).toEqual({
      provider: 'stripe',
      secretKey: keys.STRIPE_SECRET_KEY,
      connectWebhookSecret: webhooks.STRIPE_CONNECT_WEBHOOK_SECRET,
      accountsWebhookSecret: webhooks.STRIPE_ACCOUNTS_WEBHOOK_SECRET,
    })
  })

  it('refuse payouts at another provider than the payments’', () => {
    expect(refusal({ ...real, ...keys, PAYOUTS: 'sandbox' })).toContain(
      'PAYOUTS=sandbox: needs the test payments',
    )
    for (const env of [demo, onTestPayments, { ...real, ...stripe, PAYMENTS: 'sandbox' }])
      expect(refusal({ ...env, PAYOUTS: 'stripe' })).toContain('PAYOUTS=stripe: needs payments by Stripe')
  })

  it('refuse live keys beside test payments or test payouts', () => {
    const live = { ...stripe, STRIPE_SECRET_KEY: 'sk_live_0', STRIPE_PUBLISHABLE_KEY: 'pk_live_0' }
    expect(refusal({ ...real, ...live })).toBe('started')
    expect(refusal({ ...real, ...live, PAYMENTS: 'sandbox' })).toContain('PAYOUTS=stripe: needs payments')
    expect(refusal({ ...real, ...live, PAYOUTS: 'sandbox' })).toContain('PAYOUTS=sandbox: needs the test')
    expect(refusal({ ...real, ...live, STRIPE_PUBLISHABLE_KEY: 'pk_test_0' })).toContain(
      'STRIPE_PUBLISHABLE_KEY: belongs to another mode',
    )
  })

  it.each(Object.keys(webhooks))('refuse PAYOUTS=stripe without %s', (missing) => {
    expect(refusal({ ...real, ...stripe, [missing]: '' })).toContain(`${missing}: needed`)
    expect(refusal({ ...real, ...stripe, [missing]: 'secret' })).toContain(`${missing}: must look like`)
  })

  it('refuse one secret for two webhook addresses', () => {
    for (const name of Object.keys(webhooks))
      expect(refusal({ ...real, ...stripe, [name]: keys.STRIPE_WEBHOOK_SECRET })).toContain('must differ')
  })

  it('have limits by default, and can change them', () => {
    expect(readConfig(demo)).toMatchObject({
      payoutDelayMs: 48 * HOUR_MS,
      holdLimitMs: 85 * DAY_MS,
      requirePayoutsToApprove: false,
      operatorSecondPersonCents: 500_000,
    })
    const changed = {
      PAYOUT_DELAY_HOURS: '0',
      HOLD_LIMIT_DAYS: '90',
      REQUIRE_PAYOUTS_TO_APPROVE: '1',
      OPERATOR_SECOND_PERSON_CENTS: '0',
    }
    expect(readConfig({ ...demo, ...changed })).toMatchObject({
      payoutDelayMs: 0,
      holdLimitMs: 90 * DAY_MS,
      requirePayoutsToApprove: true,
      operatorSecondPersonCents: 0,
    })
  })

  it.each([
    ['HOLD_LIMIT_DAYS', '91'],
    ['HOLD_LIMIT_DAYS', '0'],
    ['PAYOUT_DELAY_HOURS', '-1'],
    ['PAYOUT_DELAY_HOURS', '721'],
    ['PAYOUT_DELAY_HOURS', '1.5'],
    ['REQUIRE_PAYOUTS_TO_APPROVE', 'yes'],
    ['OPERATOR_SECOND_PERSON_CENTS', '-1'],
    ['PAYOUTS', 'on'],
  ])('refuse %s=%s', (name, value) => {
    expect(refusal({ ...demo, [name]: value })).toContain(`${name}: `)
  })
})

describe('the settings of the Firebase project', () => {
  const project = {
    FIREBASE_API_KEY: 'key',
    FIREBASE_AUTH_DOMAIN: 'jubilee-1.firebaseapp.com',
    FIREBASE_PROJECT_ID: 'jubilee-1',
    FIREBASE_APP_ID: '1:2:web:3',
  }
  const hosted = { ...demo, ACCOUNTS: 'firebase', ...project }

  it('can be left out, and don’t change the sign-in by themselves', () => {
    expect(readConfig(demo)).toMatchObject({ accounts: { provider: 'better-auth' }, firebase: null })
    expect(readConfig({ ...demo, ...project }).accounts).toEqual({ provider: 'better-auth' })
    expect(readConfig(hosted)).toMatchObject({
      accounts: { provider: 'firebase', emulatorUrl: null },
      firebase: { projectId: 'jubilee-1', measurementId: null },
    })
  })

  it.each(Object.keys(project))('refuse a start without %s', (missing) => {
    expect(refusal({ ...hosted, [missing]: '' })).toContain(`${missing}: needed`)
    expect(refusal({ ...demo, ...project, [missing]: '' })).toContain(`${missing}: needed`)
    expect(refusal({ ...demo, ...project, [missing]: '', FIREBASE_MEASUREMENT_ID: 'G-ABC1' })).toContain(
      missing,
    )
  })

  describe('allow an emulator', () => {
    const EMULATOR = 'http://127.0.0.1:9099'
    const withEmulator = { ...hosted, FIREBASE_AUTH_EMULATOR_URL: EMULATOR }
    const setting = 'FIREBASE_AUTH_EMULATOR_URL: '

    it.each([
      ['http://127.0.0.1:9099/', 'http://127.0.0.1:9099'],
      ['http://localhost:9099', 'http://localhost:9099'],
      ['http://LOCALHOST:9099', 'http://localhost:9099'],
      ['http://[::1]:9099', 'http://[::1]:9099'],
      ['http://[0:0:0:0:0:0:0:1]:9099', 'http://[::1]:9099'],
      // Browsers and Node read these as 127.0.0.1, too.
      ['http://127.1:9099', 'http://127.0.0.1:9099'],
      ['http://0x7f000001:9099', 'http://127.0.0.1:9099'],
    ])('at %s', (url, emulatorUrl) => {
      expect(readConfig({ ...withEmulator, FIREBASE_AUTH_EMULATOR_URL: url }).accounts).toEqual({
        provider: 'firebase',
        emulatorUrl,
      })
      // The same spellings of the site's own address.
      expect(readConfig({ ...withEmulator, PUBLIC_URL: url }).publicUrl.origin).toBe(emulatorUrl)
    })

    const ELSEWHERE = [
      'auth.example',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'localhost@evil.example',
      '127.0.0.1:9099@evil.example',
      // Its owner decides where it leads.
      'localtest.me',
      'app.localhost',
      'localhost.',
      '0.0.0.0',
      '127.0.0.2',
      '10.0.0.1',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[fe80::1]',
    ]
    it.each(ELSEWHERE)('never at %s', (host) => {
      const url = `http://${host}/`
      expect(refusal({ ...withEmulator, FIREBASE_AUTH_EMULATOR_URL: url })).toContain(
        `${setting}only for tests`,
      )
    })

    it.each(ELSEWHERE)('never while PUBLIC_URL is at %s', (host) => {
      const outside = { ...real, PAYMENTS: 'sandbox', ...withEmulator, PUBLIC_URL: `http://${host}/` }
      expect(refusal(outside)).toContain(`${setting}only while PUBLIC_URL`)
      expect(refusal(outside).split('\n')).toHaveLength(2)
      expect(readConfig({ ...outside, FIREBASE_AUTH_EMULATOR_URL: '' }).accounts).toEqual({
        provider: 'firebase',
        emulatorUrl: null,
      })
    })

    it.each([
      'http://user:password@127.0.0.1:9099',
      'http://127.0.0.1:9099/path',
      `${EMULATOR}/?to=elsewhere`,
    ])('never as %s', (url) => {
      expect(refusal({ ...withEmulator, FIREBASE_AUTH_EMULATOR_URL: url })).toContain(
        `${setting}must be an origin`,
      )
    })

    it('never over https, which it doesn’t speak', () => {
      expect(refusal({ ...withEmulator, FIREBASE_AUTH_EMULATOR_URL: 'https://127.0.0.1:9099' })).toContain(
        setting,
      )
    })

    it('never where the network reaches this server', () => {
      const PUBLIC_URL = 'http://localhost:3000'
      const onPostgres = { ...real, PAYMENTS: 'sandbox', ...withEmulator, PUBLIC_URL }
      expect(readConfig(onPostgres)).toMatchObject({ demo: false, host: 'localhost' })
      expect(readConfig({ ...onPostgres, HOST: '::1' }).host).toBe('::1')
      for (const HOST of ['0.0.0.0', '::', '10.0.0.1', 'jubilee.example'])
        expect(refusal({ ...onPostgres, HOST }), HOST).toContain(`${setting}only while HOST`)
      expect(refusal({ ...onPostgres, TRUSTED_PROXY: '1' })).toContain(`${setting}never behind a proxy`)
    })

    it('only with hosted sign-in', () => {
      expect(refusal({ ...demo, FIREBASE_AUTH_EMULATOR_URL: EMULATOR })).toContain('does nothing')
    })
  })

  it('leave the password policy to the service', () => {
    expect(refusal({ ...hosted, PASSWORD_MIN_LENGTH: '10' })).toContain(
      'PASSWORD_MIN_LENGTH: with ACCOUNTS=firebase',
    )
  })
})

describe('the token of the security log’s stream', () => {
  it('defaults to none, and needs 16 characters or more', () => {
    expect(readConfig(demo).securityEventsToken).toBeNull()
    const set = { ...demo, SECURITY_EVENTS_TOKEN: 'sixteen-letters-' }
    expect(readConfig(set).securityEventsToken).toBe('sixteen-letters-')
    expect(refusal({ ...demo, SECURITY_EVENTS_TOKEN: 'too-short' })).toContain(
      'SECURITY_EVENTS_TOKEN: must have at least 16 characters',
    )
  })
})

describe('the settings of passwords', () => {
  const warnings = (env: Record<string, string>) => findWarnings(readConfig(env))

  it('warn outside the demo about passwords of fewer than 8 characters', () => {
    expect(warnings({ ...real, ...keys })).toEqual([expect.stringContaining('PASSWORD_MIN_LENGTH is 6')])
    expect(warnings({ ...real, ...keys, PASSWORD_MIN_LENGTH: '7' })).toHaveLength(1)
    expect(warnings({ ...real, ...keys, PASSWORD_MIN_LENGTH: '8' })).toEqual([])
    expect(warnings(demo)).toEqual([])
  })

  it('ask about leaked passwords only at an address that nobody can read along', () => {
    const at = (PASSWORD_LEAK_CHECK_URL: string) => ({ ...demo, PASSWORD_LEAK_CHECK_URL })
    expect(readConfig(demo).passwordLeakCheckUrl).toBeNull()
    const url = 'https://api.pwnedpasswords.com/range/'
    expect(readConfig(at(url)).passwordLeakCheckUrl).toBe(url)
    expect(readConfig(at('http://127.0.0.1:4000/range')).passwordLeakCheckUrl).toBe(
      'http://127.0.0.1:4000/range',
    )
    expect(refusal(at('http://leaks.example/range'))).toContain('PASSWORD_LEAK_CHECK_URL: must be https://')
    expect(refusal(at('leaks'))).toContain('PASSWORD_LEAK_CHECK_URL: must be the address')
  })
})

describe('the settings of sessions', () => {
  it('default to 30 days, and for operators to 12 hours or one hour unused', () => {
    const { sessionLifeMs, operatorSession } = readConfig(demo)
    expect(sessionLifeMs).toBe(30 * DAY_MS)
    expect(operatorSession).toEqual({ lifeMs: 12 * HOUR_MS, idleMs: 3_600_000 })
  })

  it('take other values, but no idle time that its five minutes of precision would make useless', () => {
    const other = readConfig({
      ...demo,
      SESSION_DAYS: '7',
      OPERATOR_SESSION_HOURS: '1.5',
      OPERATOR_IDLE_MINUTES: '15',
    })
    expect(other.sessionLifeMs).toBe(7 * DAY_MS)
    expect(other.operatorSession).toEqual({ lifeMs: 5_400_000, idleMs: 900_000 })
    expect(refusal({ ...demo, OPERATOR_IDLE_MINUTES: '5' })).toContain('OPERATOR_IDLE_MINUTES')
    expect(refusal({ ...demo, SESSION_DAYS: '0' })).toContain('SESSION_DAYS')
  })
})

describe('the settings of the file store', () => {
  const s3 = {
    S3_BUCKET: 'jubilee-files',
    S3_REGION: 'ap-southeast-2',
    S3_ACCESS_KEY_ID: 'AKIA0000',
    S3_SECRET_ACCESS_KEY: 'secret',
  }

  it('select the disk by default, and a bucket when its settings are set', () => {
    expect(readConfig(demo).fileStore.kind).toBe('disk')
    expect(readConfig({ ...demo, ...s3 }).fileStore).toEqual({
      kind: 's3',
      bucket: 'jubilee-files',
      region: 'ap-southeast-2',
      endpoint: null,
      accessKeyId: 'AKIA0000',
      secretAccessKey: 'secret',
    })
    expect(readConfig({ ...demo, ...s3, S3_ENDPOINT: 'http://minio:9000/' }).fileStore).toMatchObject({
      endpoint: 'http://minio:9000',
    })
  })

  it.each(Object.keys(s3))('refuse a start when only %s is missing', (missing) => {
    const half = Object.fromEntries(Object.entries(s3).filter(([name]) => name !== missing))
    expect(refusal({ ...demo, ...half })).toContain(`${missing}: missing`)
  })

  it('refuse an endpoint without a bucket, a malformed bucket and a malformed endpoint', () => {
    expect(refusal({ ...demo, S3_ENDPOINT: 'http://minio:9000' })).toContain('S3_BUCKET: missing')
    expect(refusal({ ...demo, ...s3, S3_BUCKET: 'Not A Bucket' })).toContain('S3_BUCKET: must be')
    expect(refusal({ ...demo, ...s3, S3_ENDPOINT: 'minio' })).toContain('S3_ENDPOINT: ')
  })
})

describe('the settings of traces', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example/otlp/' }

  it('record none without a collector', () => {
    expect(readConfig(demo).traces).toBeNull()
    expect(readConfig({ ...demo, OTEL_SERVICE_NAME: 'x', OTEL_EXPORTER_OTLP_ENDPOINT: '' }).traces).toBeNull()
  })

  it('have OpenTelemetry’s standard names', () => {
    expect(readConfig({ ...demo, ...endpoint }).traces).toEqual({
      url: 'https://collector.example/otlp/v1/traces',
      headers: {},
      serviceName: 'jubilee',
      sampledShare: 1,
    })
    const all = {
      ...endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%3Db, tenant=one=two,',
      OTEL_SERVICE_NAME: 'shop',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.05',
    }
    expect(readConfig({ ...demo, ...all }).traces).toEqual({
      url: 'https://collector.example/otlp/v1/traces',
      headers: { 'api-key': 'a=b', tenant: 'one=two' },
      serviceName: 'shop',
      sampledShare: 0.05,
    })
    // The share applies only to a sampler that uses one.
    expect(readConfig({ ...demo, ...endpoint, OTEL_TRACES_SAMPLER_ARG: '0.05' }).traces?.sampledShare).toBe(1)
  })

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4317', 'must be the address of a collector'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost', 'must be the address of a collector'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a secret', 'must look like name=value,other=value'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'key=%zz', 'must look like name=value,other=value'],
    ['OTEL_TRACES_SAMPLER', 'xray', 'OTEL_TRACES_SAMPLER'],
    ['OTEL_TRACES_SAMPLER_ARG', '2', 'OTEL_TRACES_SAMPLER_ARG'],
  ])('refuse a start with %s=%s', (name, value, expected) => {
    const message = refusal({ ...demo, ...endpoint, [name]: value })
    expect(message).toContain(name)
    expect(message).toContain(expected)
    expect(message).not.toContain('a secret')
  })
})

describe('the settings of mail', () => {
  const mailOf = (env: Record<string, string>) => {
    const { mail } = readConfig({ ...real, ...keys, ...env })
    return mail.kind === 'smtp' ? mail.requireTls : null
  }

  it.each([
    ['smtp://mail.jubilee.example', true],
    ['smtp://user:password@mail:1025', true],
    ['smtp://10.0.0.5', true],
    // A host that only looks like this machine.
    ['smtp://localhost.evil.example', true],
    ['smtp://localhost:1025', false],
    ['smtp://LOCALHOST', false],
    ['smtp://127.0.0.1', false],
    ['smtp://[::1]:1025', false],
    ['smtps://mail.jubilee.example', false],
  ])('with SMTP_URL %s require STARTTLS: %s', (SMTP_URL, required) => {
    expect(mailOf({ SMTP_URL })).toBe(required)
    expect(mailOf({ SMTP_URL, SMTP_ALLOW_PLAIN: '0' })).toBe(required)
  })

  it('allow mail without TLS only with SMTP_ALLOW_PLAIN', () => {
    expect(mailOf({ SMTP_ALLOW_PLAIN: '1' })).toBe(false)
    expect(refusal({ ...real, ...keys, SMTP_ALLOW_PLAIN: 'yes' })).toContain('SMTP_ALLOW_PLAIN')
  })
})

describe('the maximum of listings per account', () => {
  it('defaults to 50 and can be set', () => {
    expect(readConfig(demo).maxListings).toBe(50)
    expect(readConfig({ ...demo, MAX_LISTINGS: '3' }).maxListings).toBe(3)
  })

  it.each(['0', '-1', '1.5', 'many'])('can’t be %s', (wrong) =>
    expect(refusal({ ...demo, MAX_LISTINGS: wrong })).toContain('MAX_LISTINGS'),
  )
})

describe('the settings of messages', () => {
  const replies = { MAIL_INBOUND: 'reply.jubilee.example', MAIL_INBOUND_LOGIN: 'postmark:0123456789abcdef' }

  it('take replies by mail where a domain and a login are set, and in the demo’s outbox', () => {
    const off = readConfig({ ...real, ...keys })
    expect([off.mailInbound, off.mailService]).toEqual([null, null])
    const on = readConfig({ ...real, ...keys, ...replies })
    expect(on.mailInbound).toBe('reply.jubilee.example')
    expect(on.mailService).toEqual({ user: 'postmark', password: '0123456789abcdef' })
    expect(readConfig(demo).mailInbound).toBe('reply.jubilee.example')
    expect(readConfig({ ...demo, SMTP_URL: real.SMTP_URL }).mailInbound).toBeNull()
  })

  it.each(Object.keys(replies))('refuse one of the two alone: %s', (name) => {
    const alone = { [name]: replies[name as keyof typeof replies] }
    expect(refusal({ ...real, ...keys, ...alone })).toContain(
      'MAIL_INBOUND, MAIL_INBOUND_LOGIN: need each other',
    )
  })

  it.each([
    ['MAIL_INBOUND', 'https://reply.jubilee.example', 'must be a domain'],
    ['MAIL_INBOUND_LOGIN', 'postmark:short', 'must look like user:password'],
    ['MAIL_INBOUND_LOGIN', 'postmark', 'must look like user:password'],
    ['MASK_CONTACTS', 'yes', 'MASK_CONTACTS'],
  ])('refuse %s=%s', (name, value, message) => {
    expect(refusal({ ...real, ...keys, ...replies, [name]: value })).toContain(message)
  })

  it('mask contact details only when asked to', () => {
    expect(readConfig(demo).masksContacts).toBe(false)
    expect(readConfig({ ...demo, MASK_CONTACTS: '1' }).masksContacts).toBe(true)
  })
})

describe('the style of the map', () => {
  it('defaults to the embedded one', () => {
    expect(readConfig(demo).mapStyleUrl).toBeNull()
    const url = 'https://tiles.example/style.json?key=1'
    expect(readConfig({ ...demo, MAP_STYLE_URL: url }).mapStyleUrl).toBe(url)
  })

  it.each(['tiles.example/style.json', 'javascript:alert(1)'])('refuses %s', (value) => {
    expect(refusal({ ...demo, MAP_STYLE_URL: value })).toContain('must be the address of a MapLibre style')
  })
})

describe('the second factor of operators', () => {
  it('applies from the start outside the demo, from the time of the setting, and never in the demo', () => {
    const paid = { ...real, ...keys }
    expect(readConfig(paid).operatorFactorFrom).toEqual(new Date(0))
    const until = '2026-12-01T18:00:00+11:00'
    expect(readConfig({ ...paid, OPERATOR_SETUP_UNTIL: until }).operatorFactorFrom).toEqual(new Date(until))
    expect(readConfig({ ...demo, OPERATOR_SETUP_UNTIL: until }).operatorFactorFrom).toBeNull()
  })

  it('refuses a start with a setting that is no time', () => {
    expect(refusal({ ...real, ...keys, OPERATOR_SETUP_UNTIL: 'tomorrow' })).toContain(
      'OPERATOR_SETUP_UNTIL: must be a time',
    )
  })
})
