/**
 * Loaded into the product before it starts (chaos.ts): what it would ask Stripe goes to this machine's stand-in. The
 * product itself has no setting for that, since nobody but a test needs one.
 */
import http from 'node:http'
import https, { type RequestOptions } from 'node:https'

const agent = new http.Agent({ keepAlive: true })
const original = https.request
https.request = ((options: RequestOptions, ...rest: []) =>
  options.host === 'api.stripe.com'
    ? http.request({ ...options, host: '127.0.0.1', port: process.env.CHAOS_STRIPE_PORT, agent }, ...rest)
    : original(options, ...rest)) as typeof https.request
