/**
 * Loaded into the product before it starts (chaos.ts). It sends requests for Stripe to the fake provider on this machine.
 * The product has no setting for that, since only this test needs it.
 */
import http from 'node:http'
import https, { type RequestOptions } from 'node:https'

const agent = new http.Agent({ keepAlive: true })
const original = https.request
https.request = ((options: RequestOptions, ...rest: []) =>
  options.host === 'api.stripe.com'
    ? http.request({ ...options, host: '127.0.0.1', port: process.env.CHAOS_STRIPE_PORT, agent }, ...rest)
    : original(options, ...rest)) as typeof https.request
