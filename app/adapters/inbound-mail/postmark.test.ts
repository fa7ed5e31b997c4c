import { describe, expect, it } from 'vitest'
import { createPostmarkInbound } from './postmark.server.ts'

const inbound = createPostmarkInbound({ user: 'postmark', password: 'a long enough password' })
const login = (text: string) => new Headers({ authorization: `Basic ${btoa(text)}` })
const right = login('postmark:a long enough password')

const body = JSON.stringify({
  FromName: 'Kim Lee',
  MessageStream: 'inbound',
  From: 'kim@example.com',
  ToFull: [{ Email: 'R-ABC@reply.jubilee.example', Name: '', MailboxHash: '' }],
  OriginalRecipient: 'r-abc@reply.jubilee.example',
  Subject: 'Re: The Walled Garden answered you',
  MessageID: '73e6d360-66eb-11e1-8e72-a8904824019b',
  TextBody: 'Thanks!\n\n> Hello',
  Headers: [
    { Name: 'Received', Value: 'one' },
    { Name: 'received', Value: 'two' },
    { Name: 'Auto-Submitted', Value: 'no' },
  ],
  Attachments: [
    { Name: 'plan.pdf', Content: btoa('%PDF-'), ContentType: 'application/pdf', ContentLength: 5 },
    { Name: 'logo.png', Content: 'aaaa', ContentType: 'image/png', ContentID: 'logo@mail' },
  ],
})

describe('Postmark’s inbound mails', () => {
  it('become received mails, without the pictures of their text', async () => {
    const mail = inbound.read(body, right)
    if (!mail || mail === 'forged') throw new Error('not read')
    expect(mail).toMatchObject({
      id: '73e6d360-66eb-11e1-8e72-a8904824019b',
      to: ['r-abc@reply.jubilee.example', 'r-abc@reply.jubilee.example'],
      text: 'Thanks!\n\n> Hello',
    })
    expect(mail.headers.get('received')).toEqual(['one', 'two'])
    expect(mail.files.map(({ name }) => name)).toEqual(['plan.pdf'])
    expect(await mail.files[0]?.text()).toBe('%PDF-')
  })

  it.each([
    ['no login', new Headers()],
    ['another password', login('postmark:another long password')],
    ['another user', login('somebody:a long enough password')],
    ['a longer password', login('postmark:a long enough password!')],
    ['another scheme', new Headers({ authorization: 'Bearer postmark' })],
  ])('are forged with %s', (_, headers) => {
    expect(inbound.read(body, headers)).toBe('forged')
  })

  it.each(['', '[]', 'null', '{', '{"MessageID":5}', '{"TextBody":"x"}', '{"MessageID":"x","ToFull":"y"}'])(
    'are no mails with the body %j',
    (text) => {
      expect(inbound.read(text, right)).toBeNull()
    },
  )
})
