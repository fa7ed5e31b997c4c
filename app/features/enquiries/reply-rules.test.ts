import EmailReplyParser from 'email-reply-parser'
import { describe, expect, it } from 'vitest'
import { isAutomatic, visibleReply } from './reply-rules.ts'

const MARK = 'Write your reply above this line.'
const visible = (text: string) => visibleReply(text, MARK, (own) => new EmailReplyParser().parseReply(own))

describe('visibleReply', () => {
  it.each([
    ['Gmail', 'Yes, it is.\n\nOn Fri, 20 Nov 2026 at 12:00, Jubilee <r-1@reply.example> wrote:\n\n> Hello\n'],
    [
      'Gmail in two lines',
      'Yes, it is.\n\nOn Fri, 20 Nov 2026 at 12:00, Jubilee\n<r-1@reply.example> wrote:\n> Hello',
    ],
    ['Outlook', 'Yes, it is.\n\n-----Original Message-----\nFrom: Jubilee <r-1@reply.example>\nSent: Friday'],
    [
      'an iPhone',
      'Yes, it is.\n\nSent from my iPhone\n\n> On 20 Nov 2026, at 12:00, Jubilee wrote:\n>\n> Hello',
    ],
    ['a signature', 'Yes, it is.\n\n-- \nKim Lee\nEvents'],
    ['our own line', `Yes, it is.\n\n${MARK}\n\nHello Kim`],
    ['our own line, quoted', `Yes, it is.\r\n\r\n> ${MARK}\r\n>\r\n> Hello Kim`],
    ['nothing', 'Yes, it is.'],
  ])('leaves out what %s quotes', (_, text) => {
    expect(visible(text)).toBe('Yes, it is.')
  })

  it.each([
    'Two options:\n--\nOption A is 400\nOption B is 500',
    'The menu:\n\n---\nStarter\n---\nMain',
    '--\nFirst of all, yes.',
  ])('keeps what stands below a line of dashes: %j', (text) => {
    expect(visible(text)).toBe(text)
  })

  it('keeps what is too long for a signature below its delimiter', () => {
    const points = Array.from({ length: 9 }, (_, index) => `Point ${index}`).join('\n')
    expect(visible(`Our points:\n-- \n${points}`)).toBe(`Our points:\n--\n${points}`)
    expect(visible(`Our points:\n\n${points}\n\n-- \nKim Lee`)).toBe(`Our points:\n\n${points}`)
  })

  it('leaves nothing of a reply without words', () => {
    expect(visible(`On Fri, 20 Nov 2026 at 12:00, Jubilee wrote:\n\n> ${MARK}\n> Hello`)).toBe('')
  })

  it('keeps paragraphs and long lines', () => {
    const long = 'word '.repeat(100).trim()
    expect(visible(`First.\n\n${long}\n\nLast.`)).toBe(`First.\n\n${long}\n\nLast.`)
  })

  it('removes NUL, other controls, lone surrogates and the marks of its own placeholders', () => {
    expect(visible('a\0b\x07c\ud800d\u{e000}0\u{e000}e')).toBe('abc\ufffdd0e')
  })

  it('doesn’t parse a text that is too long to be a message', () => {
    expect(visible('x\n'.repeat(4_000))).toBeNull()
    // The length of the quoted part doesn't matter.
    expect(visible(`Yes.\n> ${MARK}\n${'> quoted\n'.repeat(10_000)}`)).toBe('Yes.')
  })

  it('gives the library only short lines, since its patterns take up to their fourth power', () => {
    let longest = 0
    visibleReply('2000from<'.repeat(500), MARK, (own) => {
      longest = Math.max(...own.split('\n').map((line) => line.length))
      return own
    })
    expect(longest).toBeLessThan(161)
    for (const line of ['2000from<', 'on at ', 'On a ', 'Am schrieb <'])
      expect(visible(`${line.repeat(400)}\n`.repeat(2))).not.toBe('')
  })
})

describe('isAutomatic', () => {
  const headers = (name: string, value: string) => new Map([[name, [value]]])
  it.each([
    ['auto-submitted', 'auto-replied'],
    ['auto-submitted', 'auto-generated; owner-email=x'],
    ['precedence', 'bulk'],
    ['precedence', 'Auto_Reply'],
    ['return-path', '<>'],
    ['return-path', ''],
    ['x-autoreply', 'yes'],
    ['x-autorespond', ''],
    ['list-id', '<news.example>'],
  ])('knows %s: %s as sent by a program', (name, value) => {
    expect(isAutomatic(headers(name, value))).toBe(true)
  })
  it.each([
    ['auto-submitted', 'no'],
    ['precedence', 'first-class'],
    ['return-path', '<kim@example.com>'],
    ['subject', 'Automatic doors?'],
  ])('knows %s: %s as sent by a person', (name, value) => {
    expect(isAutomatic(headers(name, value))).toBe(false)
  })
})
