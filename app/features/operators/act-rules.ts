import { z } from 'zod'
import { type Act, subject } from './act-schema.ts'
import { DISPUTE_ACTS } from './dispute-act-rules.ts'
import { INCOME_REPORT_ACTS } from './income-report-act-rules.ts'
import { MONEY_ACTS } from './money-act-rules.ts'
import { PEOPLE_ACTS } from './people-act-rules.ts'
import { REPORT_ACTS } from './report-act-rules.ts'
import { TASK_ACTS } from './task-act-rules.ts'

/** Questions to the provider, which change nothing by themselves. */
const CHECK_ACTS = {
  ask: {
    permission: 'ask-provider',
    asksAgain: false,
    input: { id: subject },
    button: 'Ask the provider again',
    pending: 'Asking...',
    look: 'brand',
    done: 'Asked the provider',
    logs: { 'ask-provider': 'Asked the provider' },
  },
  compare: {
    permission: 'reconcile',
    asksAgain: false,
    input: {},
    button: 'Compare now',
    pending: 'Comparing...',
    look: 'brand',
    done: 'Everything agrees.',
    logs: { compare: 'Compared with the provider' },
  },
  prove: {
    permission: 'reconcile',
    asksAgain: false,
    input: {},
    button: 'Prove now',
    pending: 'Proving...',
    look: 'brand',
    done: 'Every check agrees.',
    logs: { prove: 'Proved the ledger' },
  },
} as const satisfies Record<string, Act>

/**
 * Every act of an operator, declared once: permission, proof, second person, input, words and log. The forms, the guard of
 * `performOperation`, the log's words and the tests of each act are made of it (Decision 77).
 */
export const ACTS = {
  ...CHECK_ACTS,
  ...MONEY_ACTS,
  ...DISPUTE_ACTS,
  ...INCOME_REPORT_ACTS,
  ...PEOPLE_ACTS,
  ...REPORT_ACTS,
  ...TASK_ACTS,
} as const
export type ActName = keyof typeof ACTS

/** The same, for code that treats all acts alike. */
const ALL: Readonly<Record<ActName, Act>> = ACTS

export const ACT_NAMES = Object.keys(ACTS) as ActName[]

/** Returns an act as every act is declared. */
export function actOf(name: ActName): Act {
  return ALL[name]
}

/** The act that a form names; null for none that we know. */
export function readActName(intent: unknown): ActName | null {
  return typeof intent === 'string' && Object.hasOwn(ACTS, intent) ? (intent as ActName) : null
}

/** The values of an act's form, read. */
export type InputOf<Name extends ActName> = z.output<z.ZodObject<(typeof ACTS)[Name]['input']>>

/** The acts that a second person may have to confirm. */
export type SecondPersonAct = {
  [Name in ActName]: (typeof ACTS)[Name] extends { secondPerson: object } ? Name : never
}[ActName]

/** Those acts, by the flow in which one is confirmed or dropped. */
export const APPROVAL_ACTS = {
  refund: ['refund', 'refund-again', 'paid-otherwise'],
  cancellation: ['cancel-booking'],
  order: ['order-payout'],
  answer: ['submit-evidence', 'accept-dispute'],
  naming: ['name-operator', 'change-role'],
} as const satisfies Record<string, readonly SecondPersonAct[]>

/** The acts of one of these flows. */
export type ApprovalAct<Flow extends keyof typeof APPROVAL_ACTS> = (typeof APPROVAL_ACTS)[Flow][number]

/** The acts about one payment or booking, whose approvals stand above the list of payments. */
export const MONEY_APPROVALS = [
  ...APPROVAL_ACTS.refund,
  ...APPROVAL_ACTS.cancellation,
  ...APPROVAL_ACTS.order,
  ...APPROVAL_ACTS.answer,
] as const

/** The payload that an approval of this act stores. */
export type PayloadOf<Name extends SecondPersonAct> = z.output<(typeof ACTS)[Name]['secondPerson']['payload']>

/** The forms of all acts. No other form is read, and none without a reason where its act asks for one. */
export const operationSchema = z.discriminatedUnion(
  'intent',
  ACT_NAMES.map((intent) => z.object({ intent: z.literal(intent), ...actOf(intent).input })) as unknown as [
    z.ZodObject,
  ],
)

/** Entries of the log that no single act writes: those of the second person, and looks at what isn't one's own. */
const OTHER_LOGS = {
  'ask-second-operator': 'Asked for a second operator',
  'drop-order': 'Dropped an order',
  'open-activity': 'Opened an account’s activity',
  'open-report': 'Opened a reported conversation',
  'start-view': 'Started viewing the site as someone else',
  'see-page': 'Opened a page as someone else',
  'end-view': 'Stopped viewing the site as someone else',
  'export-list': 'Downloaded a list',
} as const

type KeysOf<Logs> = Logs extends unknown ? keyof Logs : never

/** The kinds of entries in the operators' log (Decision 18). */
export type OperatorAction = KeysOf<(typeof ACTS)[ActName]['logs']> | keyof typeof OTHER_LOGS

/** The entries of the log in words. */
export const ACTION_LABELS = {
  ...OTHER_LOGS,
  ...Object.fromEntries(ACT_NAMES.flatMap((name) => Object.entries(actOf(name).logs))),
} as Readonly<Record<OperatorAction, string>>
