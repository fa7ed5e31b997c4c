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
  HtmlBody: '<p>Thanks!</p><img src="cid:logo@mail">',
  Headers: [
    { Name: 'Received', Value: 'one' },
    { Name: 'received', Value: 'two' },
    { Name: 'Auto-Submitted', Value: 'no' },
  ],
  Attachments: [
    { Name: 'plan.pdf', Content: btoa('%PDF-'), ContentType: 'application/pdf', ContentLength: 5 },
    { Name: 'menu.pdf', Content: btoa('%PDF-'), ContentType: 'application/pdf', ContentID: 'f_mqx1' },
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
    expect(mail.files.map(({ name }) => name)).toEqual(['plan.pdf', 'menu.pdf'])
    expect(await mail.files[0]?.text()).toBe('%PDF-')
  })

  it('have ten files at most, and look for the pictures of a text once', async () => {
    const many = {
      ...JSON.parse(body),
      // Searched for each attachment, this text of 3 MB took 3,000 passes.
      HtmlBody: `${'<p>cid:</p>'.repeat(300_000)}<img src="cid:last@mail">`,
      Attachments: [
        { Name: 'logo.png', Content: 'aaaa', ContentID: '<last@mail>' },
        ...Array.from({ length: 3_000 }, (_, index) => ({
          Name: `${index}.pdf`,
          Content: btoa('%PDF-'),
          ContentID: `f_${index}`,
        })),
      ],
    }
    const mail = inbound.read(JSON.stringify(many), right)
    if (!mail || mail === 'forged') throw new Error('not read')
    expect(mail.files.map(({ name }) => name)).toEqual(
      Array.from({ length: 10 }, (_, index) => `${index}.pdf`),
    )
  })

  it('take their text from the HTML if they have no other, even from 10 MB of it', () => {
    const html = `<style>p{}</style><div>Yes, it is.</div><blockquote>${'<p>Quoted &amp; more</p>'.repeat(400_000)}`
    const mail = inbound.read(JSON.stringify({ ...JSON.parse(body), TextBody: '', HtmlBody: html }), right)
    if (!mail || mail === 'forged') throw new Error('not read')
    expect(mail.text).toMatch(/^Yes, it is\.\n> Quoted & more\n> Quoted & more\n/)
    expect(mail.text).toHaveLength(20_000)
  })

  it.each([
    ['no login', new Headers()],
    ['another password', login('postmark:another long password')],
    ['another user', login('somebody:a long enough password')],
    ['a longer password', login('postmark:a long enough password!')],
    ['another scheme', new Headers({ authorization: 'Bearer postmark' })],
  ])('count as forged with %s', (_, headers) => {
    expect(inbound.read(body, headers)).toBe('forged')
  })

  it.each(['', '[]', 'null', '{', '{"MessageID":5}', '{"TextBody":"x"}', '{"MessageID":"x","ToFull":"y"}'])(
    'count as no mails with the body %j',
    (text) => {
      expect(inbound.read(text, right)).toBeNull()
    },
  )

  // The example of Postmark's documentation, with what a mail program may leave out.
  it('can be read with every field of the documentation, and with null in place of empty ones', () => {
    const documented = {
      FromName: 'Postmarkapp Support',
      MessageStream: 'inbound',
      From: 'support@postmarkapp.com',
      FromFull: { Email: 'support@postmarkapp.com', Name: 'Postmarkapp Support', MailboxHash: '' },
      To: '"Firstname Lastname" <r-abc@reply.jubilee.example>',
      ToFull: [{ Email: 'r-abc@reply.jubilee.example', Name: 'Firstname Lastname', MailboxHash: '' }],
      Cc: '',
      CcFull: [],
      Bcc: '',
      BccFull: [{ Email: 'r-blind@reply.jubilee.example', Name: '', MailboxHash: '' }],
      OriginalRecipient: 'r-abc@reply.jubilee.example',
      Subject: 'Test subject',
      MessageID: '73e6d360-66eb-11e1-8e72-a8904824019b',
      ReplyTo: 'replyto@postmarkapp.com',
      MailboxHash: '',
      Date: 'Fri, 1 Aug 2014 16:45:32 -04:00',
      TextBody: 'This is a test text body.',
      HtmlBody: '<html><body><p>This is a test html body.</p></body></html>',
      StrippedTextReply: 'This is the reply text',
      Tag: 'TestTag',
      Headers: [
        { Name: 'X-Spam-Status', Value: 'No' },
        { Name: 'Return-Path', Value: '' },
      ],
      Attachments: [
        { Name: 'test.txt', Content: 'VGhpcyBpcw==', ContentType: 'text/plain', ContentLength: 10 },
      ],
    }
    expect(inbound.read(JSON.stringify(documented), right)).toMatchObject({
      to: ['r-abc@reply.jubilee.example', 'r-abc@reply.jubilee.example', 'r-blind@reply.jubilee.example'],
      text: 'This is a test text body.',
      files: [{ name: 'test.txt' }],
    })
    const bare = {
      ...documented,
      CcFull: null,
      BccFull: null,
      HtmlBody: null,
      Headers: null,
      Attachments: null,
    }
    expect(inbound.read(JSON.stringify({ ...bare, TextBody: null }), right)).toMatchObject({
      text: '',
      files: [],
    })
  })
})
