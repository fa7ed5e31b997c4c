import { parseWithZod } from '@conform-to/zod/v4'
import { href } from 'react-router'
import type { z } from 'zod'
import {
  addException,
  removeException,
  setAvailability,
} from '../../features/availability/hours-commands.server.ts'
import { findSettingsVersion } from '../../features/availability/hours-queries.server.ts'
import {
  calendarAddedText,
  feedNamesText,
  STEP_DONE,
  type StepProblem,
} from '../../features/availability/messages.ts'
import {
  addOutsideCalendar,
  makeFeed,
  removeOutsideCalendar,
  revokeFeed,
  showNamesInFeed,
  syncOutsideCalendarNow,
} from '../../features/availability/outside-calendar-commands.server.ts'
import { CALENDAR_READ_LIMIT } from '../../features/availability/rules.ts'
import {
  availabilityStepSchema,
  exceptionSchema,
  outsideCalendarSchema,
  type StepRefusal,
  settingsSchema,
} from '../../features/availability/schema.ts'
import { type AvailabilityServices, availabilityDeps } from '../../services/deps.server.ts'
import type { Services } from '../../services.server.ts'
import { refuse } from '../../shared/result.ts'

/** The toast of a step that is done, with the secret address of a feed right after it was made, or the refusal. */
type StepAnswer =
  | { ok: true; text: string; address?: string }
  | ({ ok: false; reason: StepProblem } & Partial<Pick<StepRefusal, 'errors' | 'version' | 'event'>>)

type StepServices = AvailabilityServices & Pick<Services, 'config' | 'rateLimits'>

/** The vendor and the listing that the form names, the services, and the fields of steps without a schema of their own. */
type StepContext = {
  services: StepServices
  deps: ReturnType<typeof availabilityDeps>
  own: { userId: string; businessId: string }
  id: string
  seen: string | null
  showsNames: boolean
}

/**
 * One step of the availability screen.
 * @property schema reads the form; null for a step that needs nothing but the fields of `StepContext`
 * @property fetchesCalendar whether it fetches an outside calendar, which is limited for each vendor
 */
type Step = {
  schema: z.ZodType | null
  fetchesCalendar: boolean
  take: (context: StepContext, input: never) => Promise<StepAnswer>
}

/** A step whose form has a schema. */
function formStep<Schema extends z.ZodType>(
  schema: Schema,
  take: (context: StepContext, input: z.output<Schema>) => Promise<StepAnswer>,
  { fetchesCalendar = false } = {},
): Step {
  return { schema, take, fetchesCalendar }
}

/** A step by a mere button. */
function buttonStep(
  take: (context: StepContext) => Promise<StepAnswer>,
  { fetchesCalendar = false } = {},
): Step {
  return { schema: null, take, fetchesCalendar }
}

/** Each step by the intent of its form. */
const STEPS: Readonly<Record<string, Step>> = {
  settings: formStep(settingsSchema, async ({ services, deps, own, seen }, settings) => {
    const outcome = await setAvailability(deps, { ...own, settings, seen })
    if (outcome.ok || outcome.reason !== 'changed_meanwhile') return answerOf(outcome, STEP_DONE.settings)
    return { ...refuse(outcome.reason), version: await findSettingsVersion(services.db, own.businessId) }
  }),
  exception: formStep(exceptionSchema, async ({ deps, own }, exception) =>
    answerOf(await addException(deps, { ...own, exception }), STEP_DONE.exception),
  ),
  'remove-exception': buttonStep(async ({ deps, own, id }) =>
    answerOf(await removeException(deps, { ...own, exceptionId: id }), STEP_DONE['remove-exception']),
  ),
  'add-calendar': formStep(
    outsideCalendarSchema,
    async ({ deps, own }, calendar) => {
      const outcome = await addOutsideCalendar(deps, { ...own, ...calendar })
      return outcome.ok
        ? { ok: true, text: calendarAddedText(outcome.events) }
        : { ...refuse(outcome.reason), ...eventOf(outcome) }
    },
    { fetchesCalendar: true },
  ),
  'sync-calendar': buttonStep(
    async ({ deps, own, id }) => {
      const outcome = await syncOutsideCalendarNow(deps, { ...own, calendarId: id })
      return outcome.ok
        ? { ok: true, text: STEP_DONE['sync-calendar'] }
        : { ...refuse(outcome.reason), ...eventOf(outcome) }
    },
    { fetchesCalendar: true },
  ),
  'remove-calendar': buttonStep(async ({ deps, own, id }) =>
    answerOf(await removeOutsideCalendar(deps, { ...own, calendarId: id }), STEP_DONE['remove-calendar']),
  ),
  'make-feed': buttonStep(async ({ services, deps, own }) => {
    const outcome = await makeFeed(deps, own)
    if (!outcome.ok) return refuse(outcome.reason)
    const path = href('/calendar-feed/:token.ics', { token: outcome.token })
    const address = new URL(path, services.config.publicUrl).href
    return { ok: true, text: STEP_DONE['make-feed'], address }
  }),
  'revoke-feed': buttonStep(async ({ deps, own }) =>
    answerOf(await revokeFeed(deps, own), STEP_DONE['revoke-feed']),
  ),
  'feed-names': buttonStep(async ({ deps, own, showsNames }) =>
    answerOf(await showNamesInFeed(deps, { ...own, showsNames }), feedNamesText(showsNames)),
  ),
}

/** The schemas of all forms on the availability screen. */
export const STEP_SCHEMAS: readonly z.ZodType[] = [
  availabilityStepSchema,
  ...Object.values(STEPS).flatMap(({ schema }) => schema ?? []),
]

/** Takes the step that a form names, for the signed-in vendor. Refuses a form without a known intent. */
export async function takeStep(
  services: StepServices,
  { form, userId }: { form: FormData; userId: string },
): Promise<StepAnswer> {
  const intent = form.get('intent')
  const step = typeof intent === 'string' && Object.hasOwn(STEPS, intent) ? STEPS[intent] : undefined
  if (!step) return refuse('invalid_fields')
  const submission = step.schema && parseWithZod(form, { schema: step.schema })
  if (submission && submission.status !== 'success')
    return { ...refuse('invalid_fields'), errors: submission.error ?? null }
  if (step.fetchesCalendar) {
    const mayFetch = await services.rateLimits.take(`calendar-read:${userId}`, CALENDAR_READ_LIMIT)
    if (!mayFetch) return refuse('too_often')
  }
  const context: StepContext = {
    services,
    deps: availabilityDeps(services),
    own: { userId, businessId: String(form.get('businessId')) },
    id: String(form.get('id')),
    seen: String(form.get('seen') ?? '') || null,
    showsNames: form.get('showsNames') === 'true',
  }
  // The schema of this step has read the input.
  return step.take(context, submission?.value as never)
}

/** The answer to a step with a toast that is always the same. */
function answerOf(outcome: { ok: true } | { ok: false; reason: StepProblem }, text: string): StepAnswer {
  return outcome.ok ? { ok: true, text } : refuse(outcome.reason)
}

/** The event that makes a calendar unreadable. */
function eventOf(outcome: object): { event?: string } {
  return 'event' in outcome && typeof outcome.event === 'string' ? { event: outcome.event } : {}
}
