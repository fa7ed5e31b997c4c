import { randomBytes, scryptSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type CryptoKey, exportJWK, generateKeyPair, type JSONWebKeySet, SignJWT } from 'jose'

/**
 * Implements the hosted service's calls that the SDK makes (Specification, section 7). Signs ID tokens with a real
 * RS256 key and publishes it, so the product can't tell this server from the service.
 */
export type FirebaseServer = {
  url: string
  projectId: string
  /** The received calls in order, such as 'POST /v1/accounts:signUp'. */
  calls: string[]
  /** The mails that the service would have sent, newest last. */
  mails: { kind: string; email: string; newEmail: string | null; code: string }[]
  /** The accounts by their subject. */
  accounts: Map<string, HostedAccount>
  /** Sets the life of new ID tokens, an hour by default. The SDK renews a token five minutes before it expires. */
  setTokenLife(seconds: number): void
  /** Sets how old a sign-in may be for deleting an account or changing its password or email. */
  setFreshFor(seconds: number): void
  /** While `down` is true, every call of the SDK fails like a broken connection. */
  setDown(down: boolean): void
  /** Signs an ID token as the service would, with the given claims and header. */
  sign(
    claims: Record<string, unknown>,
    options?: { kid?: string; issuedAt?: number; expiresAt?: number; key?: CryptoKey },
  ): Promise<string>
  publicPem: string
  close(): Promise<void>
}

export type HostedAccount = {
  localId: string
  email: string
  passwordHash: string
  displayName: string | null
  emailVerified: boolean
  disabled: boolean
  /** In seconds: older tokens are refused. */
  validSince: number
  createdAt: number
  lastLoginAt: number
  passwordUpdatedAt: number
}

type Refresh = { localId: string; authTime: number; issued: number }
type Body = Record<string, unknown>

const KEY_ID = 'test-key-1'
const KEY_SET_PATH = '/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com'
const HOUR_S = 3_600
/** The most reset mails that one account gets. */
const MAX_RESETS = 2

class Refusal extends Error {}

/** The settings of hosted sign-in at a server that stands in for the service. */
export const hostedSettings = ({ projectId, url }: { projectId: string; url: string }) => ({
  ACCOUNTS: 'firebase',
  FIREBASE_API_KEY: 'test-key',
  FIREBASE_AUTH_DOMAIN: `${projectId}.firebaseapp.com`,
  FIREBASE_PROJECT_ID: projectId,
  FIREBASE_APP_ID: '1:1:web:1',
  FIREBASE_AUTH_EMULATOR_URL: url,
})

/** Starts the server on a free port of this machine. */
export async function startFirebaseServer(projectId = 'jubilee-test'): Promise<FirebaseServer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
  const keySet: JSONWebKeySet = {
    keys: [{ ...(await exportJWK(publicKey)), kid: KEY_ID, alg: 'RS256', use: 'sig' }],
  }
  const { KeyObject } = await import('node:crypto')
  const publicPem = String(KeyObject.from(publicKey as never).export({ type: 'spki', format: 'pem' }))
  const accounts = new Map<string, HostedAccount>()
  const refreshTokens = new Map<string, Refresh>()
  const codes = new Map<string, { kind: string; localId: string; email: string; newEmail: string | null }>()
  const calls: string[] = []
  const mails: FirebaseServer['mails'] = []
  let tokenLifeS = HOUR_S
  let freshForS = 300
  let down = false

  const nowS = () => Math.floor(Date.now() / 1_000)
  const byEmail = (email: string) =>
    [...accounts.values()].find((account) => account.email === email.toLowerCase())
  const hash = (password: string) => scryptSync(password, 'salt', 16, { N: 2 }).toString('hex')

  const sign: FirebaseServer['sign'] = (
    claims,
    { kid = KEY_ID, issuedAt = nowS(), expiresAt, key = privateKey } = {},
  ) =>
    new SignJWT({
      iss: `https://securetoken.google.com/${projectId}`,
      aud: projectId,
      auth_time: issuedAt,
      iat: issuedAt,
      exp: expiresAt ?? issuedAt + tokenLifeS,
      ...claims,
    })
      .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
      .sign(key)

  async function tokensFor(account: HostedAccount, authTime: number, refreshToken?: string) {
    const token = refreshToken ?? randomBytes(24).toString('base64url')
    refreshTokens.set(token, { localId: account.localId, authTime, issued: nowS() })
    const idToken = await sign({
      sub: account.localId,
      user_id: account.localId,
      auth_time: authTime,
      email: account.email,
      email_verified: account.emailVerified,
      ...(account.displayName ? { name: account.displayName } : {}),
      firebase: { identities: { email: [account.email] }, sign_in_provider: 'password' },
    })
    return { idToken, refreshToken: token, expiresIn: String(tokenLifeS) }
  }

  /** The account of an ID token. The service also checks the signature, which is not tested here. */
  function accountOf(body: Body): { account: HostedAccount; authTime: number } {
    const payload = String(body.idToken ?? '').split('.')[1]
    if (!payload) throw new Refusal('INVALID_ID_TOKEN')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
      sub: string
      auth_time: number
    }
    const account = accounts.get(claims.sub)
    if (!account) throw new Refusal('USER_NOT_FOUND')
    if (account.disabled) throw new Refusal('USER_DISABLED')
    if (claims.auth_time < account.validSince) throw new Refusal('TOKEN_EXPIRED')
    return { account, authTime: claims.auth_time }
  }

  function requireFresh(authTime: number): void {
    if (nowS() - authTime > freshForS) throw new Refusal('CREDENTIAL_TOO_OLD_LOGIN_AGAIN')
  }

  function checkPassword(password: string): void {
    if (password.length < 6) throw new Refusal('WEAK_PASSWORD : Password should be at least 6 characters')
  }

  function mail(kind: string, account: HostedAccount, newEmail: string | null): void {
    const code = randomBytes(24).toString('base64url')
    codes.set(code, { kind, localId: account.localId, email: account.email, newEmail })
    mails.push({ kind, email: newEmail ?? account.email, newEmail, code })
  }

  /** Sends the old address a notice with a link that restores it. */
  function mailRecovery(account: HostedAccount, oldEmail: string): void {
    const code = randomBytes(24).toString('base64url')
    codes.set(code, {
      kind: 'RECOVER_EMAIL',
      localId: account.localId,
      email: oldEmail,
      newEmail: account.email,
    })
    mails.push({ kind: 'RECOVER_EMAIL', email: oldEmail, newEmail: account.email, code })
  }

  function takeCode(code: string, use: boolean) {
    const found = codes.get(code)
    const account = found && accounts.get(found.localId)
    if (!found || !account) throw new Refusal('INVALID_OOB_CODE')
    if (use) codes.delete(code)
    return { ...found, account }
  }

  const handlers: Record<string, (body: Body) => Promise<object> | object> = {
    async 'POST /v1/accounts:signUp'(body) {
      const email = String(body.email ?? '').toLowerCase()
      if (!email.includes('@')) throw new Refusal('INVALID_EMAIL')
      if (byEmail(email)) throw new Refusal('EMAIL_EXISTS')
      checkPassword(String(body.password ?? ''))
      const account: HostedAccount = {
        localId: randomBytes(14).toString('hex'),
        email,
        passwordHash: hash(String(body.password)),
        displayName: null,
        emailVerified: false,
        disabled: false,
        validSince: nowS(),
        createdAt: Date.now(),
        lastLoginAt: Date.now(),
        passwordUpdatedAt: Date.now(),
      }
      accounts.set(account.localId, account)
      return {
        kind: 'identitytoolkit#SignupNewUserResponse',
        localId: account.localId,
        email,
        ...(await tokensFor(account, nowS())),
      }
    },
    async 'POST /v1/accounts:signInWithPassword'(body) {
      const account = byEmail(String(body.email ?? ''))
      // The same answer for both, as with enumeration protection on.
      if (account?.passwordHash !== hash(String(body.password ?? '')))
        throw new Refusal('INVALID_LOGIN_CREDENTIALS')
      if (account.disabled) throw new Refusal('USER_DISABLED')
      account.lastLoginAt = Date.now()
      return {
        kind: 'identitytoolkit#VerifyPasswordResponse',
        localId: account.localId,
        email: account.email,
        displayName: account.displayName ?? '',
        registered: true,
        ...(await tokensFor(account, nowS())),
      }
    },
    'POST /v1/accounts:lookup'(body) {
      const { account } = accountOf(body)
      return {
        kind: 'identitytoolkit#GetAccountInfoResponse',
        users: [
          {
            localId: account.localId,
            email: account.email,
            emailVerified: account.emailVerified,
            displayName: account.displayName ?? undefined,
            providerUserInfo: [
              {
                providerId: 'password',
                email: account.email,
                federatedId: account.email,
                rawId: account.email,
              },
            ],
            validSince: String(account.validSince),
            createdAt: String(account.createdAt),
            lastLoginAt: String(account.lastLoginAt),
            passwordUpdatedAt: account.passwordUpdatedAt,
          },
        ],
      }
    },
    async 'POST /v1/accounts:update'(body) {
      if (body.oobCode) {
        const { account, kind, email, newEmail } = takeCode(String(body.oobCode), false)
        if (kind === 'PASSWORD_RESET') throw new Refusal('INVALID_OOB_CODE')
        const changedTo = kind === 'VERIFY_AND_CHANGE_EMAIL' ? newEmail : email
        const holder = changedTo && byEmail(changedTo)
        if (holder && holder !== account) throw new Refusal('EMAIL_EXISTS')
        takeCode(String(body.oobCode), true)
        account.emailVerified = true
        if (changedTo && changedTo !== account.email) {
          const before = account.email
          account.email = changedTo
          // Everybody else's refresh tokens are worth nothing any more.
          account.validSince = nowS()
          for (const [token, { localId }] of refreshTokens)
            if (localId === account.localId) refreshTokens.delete(token)
          if (kind === 'VERIFY_AND_CHANGE_EMAIL') mailRecovery(account, before)
        }
        return { localId: account.localId, email: account.email, emailVerified: true }
      }
      const { account, authTime } = accountOf(body)
      if (typeof body.displayName === 'string') account.displayName = body.displayName
      if (typeof body.password === 'string') {
        requireFresh(authTime)
        checkPassword(body.password)
        account.passwordHash = hash(body.password)
        account.passwordUpdatedAt = Date.now()
        account.validSince = authTime
        // Everybody else's refresh tokens are worth nothing any more.
        for (const [token, { localId }] of refreshTokens)
          if (localId === account.localId) refreshTokens.delete(token)
      }
      return {
        localId: account.localId,
        email: account.email,
        displayName: account.displayName,
        ...(body.returnSecureToken ? await tokensFor(account, authTime) : {}),
      }
    },
    'POST /v1/accounts:sendOobCode'(body) {
      const kind = String(body.requestType)
      if (kind === 'PASSWORD_RESET') {
        const account = byEmail(String(body.email ?? ''))
        if (!account) throw new Refusal('EMAIL_NOT_FOUND')
        const earlier = mails.filter((sent) => sent.kind === kind && sent.email === account.email)
        if (earlier.length >= MAX_RESETS) throw new Refusal('RESET_PASSWORD_EXCEED_LIMIT')
        mail(kind, account, null)
        return { email: account.email }
      }
      const { account, authTime } = accountOf(body)
      const newEmail = body.newEmail ? String(body.newEmail).toLowerCase() : null
      if (newEmail) {
        requireFresh(authTime)
        if (byEmail(newEmail)) throw new Refusal('EMAIL_EXISTS')
      }
      mail(kind, account, newEmail)
      return { email: account.email }
    },
    'POST /v1/accounts:resetPassword'(body) {
      const password = body.newPassword
      const { account, kind, email, newEmail } = takeCode(
        String(body.oobCode ?? ''),
        typeof password === 'string',
      )
      if (typeof password === 'string') {
        if (kind !== 'PASSWORD_RESET') throw new Refusal('INVALID_OOB_CODE')
        checkPassword(password)
        account.passwordHash = hash(password)
        account.passwordUpdatedAt = Date.now()
        account.emailVerified = true
        account.validSince = nowS()
        for (const [token, { localId }] of refreshTokens)
          if (localId === account.localId) refreshTokens.delete(token)
      }
      return { email, requestType: kind, ...(newEmail ? { newEmail } : {}) }
    },
    'POST /v1/accounts:delete'(body) {
      const { account, authTime } = accountOf(body)
      requireFresh(authTime)
      accounts.delete(account.localId)
      return { kind: 'identitytoolkit#DeleteAccountResponse' }
    },
    'POST /v2/accounts:revokeToken': () => ({}),
    async 'POST /v1/token'(body) {
      const token = String(body.refresh_token ?? '')
      const found = refreshTokens.get(token)
      const account = found && accounts.get(found.localId)
      if (!found) throw new Refusal('TOKEN_EXPIRED')
      if (!account) throw new Refusal('USER_NOT_FOUND')
      if (account.disabled) throw new Refusal('USER_DISABLED')
      const { idToken } = await tokensFor(account, found.authTime, token)
      return {
        access_token: idToken,
        id_token: idToken,
        refresh_token: token,
        expires_in: String(tokenLifeS),
        token_type: 'Bearer',
        user_id: account.localId,
        project_id: projectId,
      }
    },
    'GET /v2/passwordPolicy': () => ({
      schemaVersion: 1,
      customStrengthOptions: { minPasswordLength: 6, maxPasswordLength: 4_096 },
      allowedNonAlphanumericCharacters: ['!', '#'],
      enforcementState: 'ENFORCE',
      forceUpgradeOnSignin: false,
    }),
    'GET /v2/recaptchaConfig': () => ({ recaptchaEnforcementState: [] }),
  }

  const server = createServer((request, response) => {
    void answer(request, response).catch((error) => {
      response.writeHead(500).end(String(error))
    })
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost')
    // The SDK puts the real host into the path.
    const path = url.pathname.replace(/^\/(identitytoolkit|securetoken)\.googleapis\.com/, '')
    const send = (status: number, body: object) => {
      response.writeHead(status, {
        'content-type': 'application/json',
        'access-control-allow-origin': request.headers.origin ?? '*',
        'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '*',
        'access-control-allow-methods': 'GET, POST',
      })
      response.end(JSON.stringify(body))
    }
    if (request.method === 'OPTIONS') return send(200, {})
    if (path === KEY_SET_PATH) return send(200, keySet)
    if (down) return void request.socket.destroy()
    const call = `${request.method} ${path}`
    calls.push(call)
    const handler = handlers[call]
    if (!handler || !url.searchParams.get('key'))
      return send(404, { error: { code: 404, message: 'NOT_FOUND' } })
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const isForm = request.headers['content-type']?.includes('x-www-form-urlencoded')
    const body = (isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text || '{}')) as Body
    try {
      send(200, await handler(body))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { message } = error
      send(400, { error: { code: 400, message, errors: [{ message, domain: 'global', reason: 'invalid' }] } })
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    projectId,
    calls,
    mails,
    accounts,
    setTokenLife: (seconds) => {
      tokenLifeS = seconds
    },
    setFreshFor: (seconds) => {
      freshForS = seconds
    },
    setDown: (isDown) => {
      down = isDown
    },
    sign,
    publicPem,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
