import { MAX_PUSH_DEVICES } from './push-rules.ts'

export const PUSH_TITLE = 'Notifications on this device'
export const PUSH_TEXT =
  'Your phone or computer can tell you about a new booking or message while this site is closed. It shows no names and no amounts.'
export const PUSH_ON = 'Notifications are on for this device.'
export const PUSH_OFF = 'Notifications are off for that device.'
export const PUSH_BLOCKED =
  'Your browser blocks notifications of this site. Allow them in its settings, then open this page again.'
export const PUSH_UNKNOWN =
  'This browser can’t show notifications. On an iPhone or iPad, add the site to the home screen first and open it from there.'
export const PUSH_NEEDS_SCRIPT = 'To turn notifications on, allow JavaScript in this browser.'

/** Why notifications aren't on. */
export type PushRefusal =
  /** The browser named a push service or keys that can't be used. */
  | 'unusable'
  | 'too_many_devices'
  | 'too_often'
  /** This account has no listing to be told of. */
  | 'not_a_vendor'

export const PUSH_PROBLEMS = {
  unusable: 'Your browser’s push service can’t be used. Try another browser.',
  too_many_devices: `An account can have notifications on up to ${MAX_PUSH_DEVICES} devices. Turn them off on one that you no longer use.`,
  too_often: 'You have saved too often in a short time. Try again in ten minutes.',
  not_a_vendor: 'List a business first: notifications are about its bookings and messages.',
} as const satisfies Record<PushRefusal, string>

/** The browser's own refusals, before we are asked. */
export const PUSH_DENIED = 'Your browser didn’t allow notifications. You can change that in its settings.'
export const PUSH_FAILED = 'Your browser couldn’t turn notifications on. Try again in a moment.'
