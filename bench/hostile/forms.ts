import { FORM, get, type HostileCase, JSON_TYPE, MAIL_LOGIN, MULTIPART, multipart, post } from './target.ts'

const ASK = '/business/harbour-light-pavilion/ask'

/** A guest's question with this text. */
export const question = (body: string, files: Parameters<typeof multipart>[0] = []) =>
  multipart([
    ...Object.entries({
      wish: 'question',
      name: 'Kim Lee',
      email: 'kim@example.com',
      body,
      submitKey: crypto.randomUUID(),
    }).map(([name, value]) => ({ header: `name="${name}"`, value })),
    ...files,
  ])
const mail = (text: string, more: object = {}) =>
  JSON.stringify({
    MessageID: crypto.randomUUID(),
    OriginalRecipient: 'r-0@reply.example.com',
    TextBody: text,
    ...more,
  })
const asMail = { ...JSON_TYPE, authorization: `Basic ${btoa(MAIL_LOGIN)}` }

/** Fields, JSON and texts within the limits of a body. */
export const FORM_CASES: readonly HostileCase[] = [
  { name: '8,000 fields', send: (target) => post(target, '/login', 'email=x&'.repeat(8_000), FORM) },
  { name: 'an index of ten digits', send: (target) => post(target, '/login', 'email[4294967294]=x', FORM) },
  {
    name: 'names in 30,000 levels',
    send: (target) => post(target, '/login', `a${'.a'.repeat(30_000)}=x`, FORM),
  },
  {
    name: '60 kB of percent signs',
    send: (target) => post(target, '/login', `email=${'%'.repeat(60_000)}`, FORM),
  },
  {
    name: 'JSON in 32,000 levels',
    send: (target) =>
      post(target, '/create-payment-intent', '['.repeat(16_000) + ']'.repeat(16_000), JSON_TYPE),
  },
  {
    name: 'a Cookie header of 15 kB',
    send: (target) => post(target, '/login', 'email=x', { ...FORM, cookie: 'a=b;'.repeat(3_800) }),
  },
  {
    name: 'a message of 4,000 ㌖',
    send: (target) => post(target, ASK, question('㌖'.repeat(4_000)), MULTIPART),
  },
  {
    name: 'a message of 4,000 @',
    send: (target) => post(target, ASK, question('@'.repeat(4_000)), MULTIPART),
  },
  {
    name: 'a message of 4,000 digits',
    send: (target) => post(target, ASK, question('0'.repeat(4_000)), MULTIPART),
  },
  {
    name: 'a mail of 60 kB of > lines',
    send: (target) => post(target, '/webhooks/mail', mail('>\n'.repeat(30_000)), asMail),
  },
  {
    name: 'a mail with 3,000 attachments',
    send: (target) =>
      post(
        target,
        '/webhooks/mail',
        mail('Hi', {
          HtmlBody: 'x'.repeat(1_000_000),
          Attachments: Array.from({ length: 3_000 }, (_, at) => ({
            Name: 'a.png',
            Content: 'AAAA',
            ContentID: `part-${at}@example.com`,
          })),
        }),
        asMail,
      ),
  },
  {
    name: 'JSON of 40 MB to the mail webhook without its login',
    send: (target) => post(target, '/webhooks/mail', '['.repeat(40 * 1_048_576), JSON_TYPE),
  },
  {
    name: 'a mail of 2 kB of replacement patterns',
    send: (target) =>
      post(target, '/webhooks/mail', mail(`On Monday, Kim wrote:\n> ${'$`'.repeat(1_000)}`), asMail),
  },
  {
    name: 'a mail of 400 kB of one line',
    send: (target) => post(target, '/webhooks/mail', mail('On '.repeat(130_000)), asMail),
  },
  {
    name: 'a search of 2,500 words',
    send: (target) => get(target, `/venues-vendors?q=${'hall+'.repeat(2_500)}`),
  },
]
