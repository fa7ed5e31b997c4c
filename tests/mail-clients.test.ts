import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { renderMail, withFooter } from '../app/adapters/mail/frame.server.ts'
import type { MailMessage } from '../app/adapters/mail/port.ts'
import { REPLY_MARK, unreadMessagesMail } from '../app/features/enquiries/mails.ts'
import { visibleReply } from '../app/features/enquiries/reply-rules.ts'
import type { MailContent } from '../app/shared/mail.ts'
import { MAIL_RULES, PROGRAMS, readMail } from './mail-rules.ts'
import { SPAN, STATED, sampleMails } from './sample-mails.ts'

const site = {
  brand: 'Jubilee',
  publicUrl: new URL('https://jubilee.example'),
  runBy: 'Jubilee is run by Long Table Pty Ltd, ABN 51 824 753 556. 1 Sample Street, Melbourne VIC 3000',
}
const mails = sampleMails(site)

const contentOf = ({ content }: MailMessage): MailContent => {
  if (!content) throw new Error('This mail has no content.')
  return content
}
const rendered = Object.entries(mails).map(([name, mail]) => {
  const html = renderMail(contentOf(mail), mail.subject, site)
  return { name, mail, html, read: readMail(html, mail.subject) }
})

it('every mail has a sample', () => {
  const modules = import.meta.glob<object>('../app/features/**/*mails.ts', { eager: true })
  const names = Object.values(modules).flatMap((module) =>
    Object.keys(module).filter((name) => name.endsWith('Mail')),
  )
  expect(Object.keys(mails).toSorted()).toEqual(names.toSorted())
})

const toCustomer = { side: 'customer', email: 'kim@example.com', name: 'Kim', isProven: true } as const
/** Every sample, and what a customer gets of a vendor's messages, by a link. */
const statedBy = (changed: Parameters<typeof sampleMails>[1]): Record<string, MailMessage> => ({
  ...sampleMails(site, changed),
  unread: unreadMessagesMail(toCustomer, { ...STATED.messages, ...changed?.messages }, site),
})
/** Without the mails of accounts, which have a random id. */
const again: Record<string, MailMessage> = statedBy({})
const steady = Object.entries(statedBy({})).filter(([name, mail]) => isDeepStrictEqual(mail, again[name]))

/** Whether some mail differs, or can't be written, once a field of the samples has another value. */
function isStated(name: keyof typeof STATED, field: string): boolean {
  const value = (STATED[name] as Record<string, unknown>)[field]
  try {
    const changed = statedBy({ [name]: { [field]: typeof value === 'number' ? value + 1 : 'another' } })
    return steady.some(([mailName, mail]) => !isDeepStrictEqual(changed[mailName], mail))
  } catch {
    return true
  }
}

it.each(Object.keys(STATED) as (keyof typeof STATED)[])('some mail states each field of %s', (name) => {
  const fields = Object.keys(STATED[name])
  expect(steady.length).toBeGreaterThan(40)
  expect(fields.length).toBeGreaterThan(2)
  expect(fields.filter((field) => !isStated(name, field))).toEqual([])
})

describe('every mail', () => {
  it.each(MAIL_RULES)('$name', ({ broken }) => {
    expect(rendered.flatMap(({ name, read }) => broken(read).map((what) => `${name}: ${what}`))).toEqual([])
  })

  it('says the same in its HTML part as in its plain text', () => {
    for (const { mail, html } of rendered) {
      const shown = textOf(html)
      for (const line of mail.text.split('\n').filter((each) => each && !each.includes('https://')))
        for (const part of line.split(': ')) expect(shown, mail.subject).toContain(part)
    }
  })

  it('repeats every link of its HTML part in its plain text, why its reader gets it and who sends it', () => {
    for (const { mail, html, read } of rendered) {
      const { business, why } = contentOf(mail)
      const text = withFooter(mail.text, contentOf(mail), site)
      // The wordmark and the picture are links, too.
      const pictured = business ? `/business/${business.id}` : '/'
      const links = read.elements.flatMap(({ attributes: { href } }) => (href ? [href] : []))
      const written = links.filter((link) => !['/', pictured].includes(new URL(link).pathname))
      expect(written.length).toBeGreaterThan(0)
      for (const link of written) expect(text, mail.subject).toContain(link)
      expect(text).toContain(`\n\n${why}\n`)
      expect(text.endsWith(`\n${site.runBy}\n`)).toBe(true)
      expect(html).toContain(site.runBy)
    }
  })

  it('says why its reader gets it', () => {
    for (const { mail } of rendered) expect(contentOf(mail).why).toMatch(/^You get this email because .+\.$/)
  })
})

it('every program has rules of its own', () => {
  for (const program of PROGRAMS)
    expect(
      MAIL_RULES.some(({ programs }) => programs.includes(program)),
      program,
    ).toBe(true)
})

describe('a rule for mails', () => {
  const breaks = (body: string, head = '') => {
    const read = readMail(
      `<html><head>${head}</head><body style="background-color:#FFFFFF">${body}</body></html>`,
      'Paid',
    )
    return (part: string) =>
      MAIL_RULES.find(({ name }) => name.includes(part))?.broken(read) ?? ['no such rule']
  }
  it.each([
    ['elements that programs remove', '<form></form>', 'element that programs remove', '<form>'],
    ['handlers', '<a href="https://a.example/" onclick="x()">A</a>', 'handlers', 'onclick of <a>'],
    ['scripts in addresses', '<a href="javascript:x()">A</a>', 'handlers', 'javascript:x()'],
    ['relative addresses', '<img src="/a.png" alt="" />', 'https addresses', '<img> /a.png'],
    [
      'addresses without TLS',
      '<a href="http://a.example/">A</a>',
      'https addresses',
      '<a> http://a.example/',
    ],
    ['tables of data', '<table></table>', 'tables', 'a table without role="presentation"'],
    [
      'styles that Word loses',
      '<td style="display:flex">A</td>',
      'Word’s engine loses',
      'display: flex of <td>',
    ],
    ['text without its look', '<p>A</p>', 'look inline', '<p> A'],
    ['wide elements', '<table width="640"></table>', '600 px', '640 of <table>'],
    [
      'pictures without text',
      '<img src="https://a.example/" width="1" height="1" />',
      'text, a width',
      'https://a.example/',
    ],
    ['links without a name', '<a href="https://a.example/"></a>', 'name for each link', 'https://a.example/'],
    ['pictures behind text', '<td background="x">A</td>', 'background picture', '<td>'],
    ['small text', '<p style="font-size:12px">A</p>', '13 px', '12 px: A'],
    ['small buttons', '<a class="m-action" style="font-size:16px">A</a>', '44 px', '19.2 px'],
    ['faint text', '<p style="color:#999999">A</p>', 'in the light', '2.8: #999999 on #FFFFFF: A'],
    ['faint text in the dark', '<p style="color:#999999">A</p>', 'in the dark', '2.8: #999999 on #FFFFFF: A'],
  ])('finds %s', (_, body, rule, found) => {
    expect(breaks(body)(rule)).toContain(found)
  })

  it('finds long mails, long style sheets and foreign typefaces', () => {
    expect(breaks('x'.repeat(21_000))('102 kB')).toEqual(['20.6 kB'])
    expect(breaks('', `<style>${'x'.repeat(17_000)}</style>`)('16 kB')).toEqual(['too long'])
    expect(breaks('', '<style>@font-face{src:url(x)}</style>')('typeface')).toContain('@font-face')
    expect(breaks('')('colour schemes')).toHaveLength(5)
    expect(breaks('')('its language')).toEqual(['language', 'title', 'charset', 'viewport', 'doctype'])
  })
})

describe('the HTML part of a mail', () => {
  const content = { lines: ['Hello,', 'Fine.'], why: 'You get this email because we test it.' }
  const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>&amp; 'x' </style>`

  it('escapes every text that people type', () => {
    const html = renderMail(
      {
        lines: [hostile, hostile],
        facts: [[hostile, hostile]],
        link: { label: hostile, url: 'https://jubilee.example/' },
        business: { id: 'b', name: hostile },
        mark: hostile,
        why: hostile,
      },
      hostile,
      { ...site, brand: hostile },
    )
    const { elements } = readMail(html, hostile)
    expect(elements.filter(({ name }) => name === 'script')).toEqual([])
    expect(elements.filter(({ attributes }) => 'onerror' in attributes)).toEqual([])
    expect(html.match(/<script/g)).toBeNull()
    expect(html.match(/<\/style>/g)).toHaveLength(1)
    expect(elements.filter(({ name }) => name === 'img')).toHaveLength(2)
  })

  it('makes links of our own addresses, and none of others', () => {
    const lines = [
      'Hello,',
      'The Boatshed: https://jubilee.example/business/boatshed',
      'See https://evil.example/jubilee',
    ]
    const html = renderMail({ ...content, lines }, 'Declined', site)
    const links = readMail(html, '').elements.flatMap(({ attributes }) => attributes.href ?? [])
    expect(links).toContain('https://jubilee.example/business/boatshed')
    expect(html).toContain('See https://evil.example/jubilee')
    expect(links.filter((link) => link.includes('evil'))).toEqual([])
  })

  it('shows the picture of a business and its calendar file where there are such', () => {
    const html = renderMail(
      { ...content, business: { id: 'hall', name: 'The Hall' }, calendar: 'https://jubilee.example/a.ics' },
      'Paid',
      site,
    )
    expect(html).toContain('https://jubilee.example/business/hall/picture')
    expect(html).toMatch(/href="https:\/\/jubilee\.example\/a\.ics"[^>]*>Add to calendar</)
    const bare = renderMail(content, 'Paid', site)
    expect(bare).not.toContain('/picture')
    expect(bare).not.toContain('Add to calendar')
  })
})

/** The characters of a subject that a phone shows. */
const ON_A_PHONE = 40
const A_DAY =
  /\b\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December)\b/

describe('the subject of a mail', () => {
  const longName = 'The Harbour Light Pavilion and Garden Rooms at Balmain East by the Water'
  const named = statedBy({
    booked: { vendorName: longName, customerName: longName },
    due: { vendorName: longName, customerName: longName },
    paid: { vendorName: longName },
  })
  // People look for these by the name of the other side.
  const namedFirst = ['bookingPaidMail', 'unreadMessagesMail', 'roleChangedMail', 'unread']

  it.each(Object.keys(named).filter((name) => !namedFirst.includes(name)))(
    'says what and when before any name: %s',
    (name) => {
      const { subject } = named[name] as MailMessage
      const day = A_DAY.exec(subject)
      if (day) expect(day.index + day[0].length, subject).toBeLessThanOrEqual(ON_A_PHONE)
      if (subject.includes(longName)) expect(subject.indexOf(longName), subject).toBeGreaterThan(5)
      for (const [amount = ''] of subject.matchAll(/\$[\d,]+\.\d\d/g))
        expect(subject.indexOf(amount) + amount.length, subject).toBeLessThanOrEqual(ON_A_PHONE)
    },
  )

  it('says of a request by when it is answered, not that it is paid', () => {
    expect(mails.bookingPaidMail?.subject).toBe('Sent to Harbour Light Pavilion: answer by Monday 1 February')
  })
})

describe('a mail about a change', () => {
  const factsOf = (name: string) => new Map(contentOf(mails[name] as MailMessage).facts)

  it.each(['changeProposedMail', 'changeAcceptedMail', 'changedMail'])(
    'shows old → new in place of the booking’s own facts: %s',
    (name) => {
      const facts = contentOf(mails[name] as MailMessage).facts ?? []
      expect(facts.filter(([label]) => label === 'When')).toEqual([
        ['When', expect.stringMatching(/^Saturday 13 March .* → Saturday 20 March /)],
      ])
      expect(factsOf(name).get('Number of Attendees')).toBe('90 → 100')
      expect(factsOf(name).get('Total')).toBe('$7,830.00 → $8,700.00')
      expect(mails[name]?.subject).toContain('Sat 13 → Sat 20 March')
    },
  )

  it.each(['changeDeclinedMail', 'changeExpiredMail'])('shows what stays, once it has ended: %s', (name) => {
    expect(factsOf(name).get('When')).toBe(SPAN)
    expect(factsOf(name).get('When, as proposed')).toMatch(/^Saturday 20 March /)
    expect(mails[name]?.subject).toContain('stays Sat 13 March')
  })
})

describe('the headline of a mail', () => {
  it.each(rendered.map(({ name, mail }) => [name, mail] as const))('is the first line of %s', (_, mail) => {
    const { headline, mark } = contentOf(mail)
    const lines = mail.text.split('\n\n')
    expect(lines[mark ? 1 : 0]).toBe(headline?.text)
    expect(headline?.text.length).toBeLessThan(100)
  })

  it('shows its tone by its colour', () => {
    const colours = (name: string) => {
      const { read } = rendered.find((each) => each.name === name) as (typeof rendered)[number]
      const words = contentOf(mails[name] as MailMessage).headline?.text ?? ''
      return read.elements.find(({ text }) => textOf(text) === words)?.styles.color
    }
    expect(colours('approvedMail')).toBe('#1F6B45')
    expect(colours('declinedMail')).toBe('#A3161F')
    expect(colours('bookingPaidMail')).toBe('#1F2A2E')
    expect(new Set(rendered.map(({ mail }) => contentOf(mail).headline?.tone))).toEqual(
      new Set(['good', 'waits', 'bad', 'plain']),
    )
  })
})

describe('the button of a mail', () => {
  it.each(rendered.filter(({ mail }) => contentOf(mail).link).map((each) => [each.name, each] as const))(
    'stands below the first paragraph: %s',
    (_, { mail, html }) => {
      const { lines, link, isLinkLast } = contentOf(mail)
      const shown = textOf(html)
      const greetingAt = shown.indexOf(`\n${lines[0]}\n`)
      const at = (text = '') => shown.indexOf(text, greetingAt + 1)
      const label = at(`\n${link?.label}\n`)
      expect(label).toBeGreaterThan(at(lines[1]))
      for (const line of lines.slice(2))
        if (isLinkLast) expect(label).toBeGreaterThan(at(line))
        else expect(label).toBeLessThan(shown.lastIndexOf(line))
    },
  )
})

describe('the picture of the business', () => {
  const isShown = (mail: MailMessage) =>
    /\/business\/[\w-]+\/picture/.test(renderMail(contentOf(mail), mail.subject, site))

  it.each([
    'bookingPaidMail',
    'newBookingMail',
    'approvedMail',
    'changedMail',
    'instalmentReminderMail',
    'instalmentPaidMail',
    'unreadMessagesMail',
    'moneySentMail',
  ])('is at the top of %s', (name) => {
    expect(isShown(mails[name] as MailMessage)).toBe(true)
  })

  it('stays out of bad news and reports', () => {
    const without = rendered.filter(({ mail }) =>
      ['bad', 'plain'].includes(contentOf(mail).headline?.tone ?? ''),
    )
    expect(without.filter(({ mail }) => isShown(mail)).map(({ name }) => name)).toEqual([])
    for (const name of [
      'declinedMail',
      'cancelledMail',
      'cardRefusedMail',
      'moneyHeldMail',
      'bookingDisputedMail',
    ])
      expect(without.map((each) => each.name)).toContain(name)
  })

  it('stays out of mails about messages to an address that nobody has proved', () => {
    const to = { side: 'customer', email: 'kim@example.com', name: 'Kim', isProven: false } as const
    const mail = unreadMessagesMail(
      to,
      {
        conversationId: 'c',
        burst: '1',
        businessId: 'hall',
        businessName: 'The Hall',
        otherName: 'The Hall',
        messages: [{ body: 'Hello', fileCount: 0 }],
        linkToken: 'token',
        replyTo: null,
      },
      site,
    )
    expect(renderMail(contentOf(mail), mail.subject, site)).not.toContain('/picture')
  })
})

describe('a reply to the HTML part of a mail', () => {
  const mail = mails.unreadMessagesMail as MailMessage
  // A mail program quotes the words of the mail as it showed them in the plain text of its reply.
  const shown = textOf(renderMail(contentOf(mail), mail.subject, site))
  const quoted = shown.replaceAll(/^/gm, '> ')
  const visible = (text: string) => visibleReply(text, REPLY_MARK)

  it('shows nothing above the line at which it is cut off', () => {
    expect(shown.trim().startsWith(REPLY_MARK)).toBe(true)
  })

  it.each([
    [
      'Gmail',
      `Yes, there is.\n\nOn Fri, 20 Nov 2026 at 12:00, Jubilee <r-1@reply.example> wrote:\n\n${quoted}`,
    ],
    [
      'Apple Mail',
      `Yes, there is.\n\n> On 20 Nov 2026, at 12:00 pm, Jubilee <r-1@reply.example> wrote:\n> \n${quoted}`,
    ],
    [
      'Outlook',
      `Yes, there is.\n\n________________________________\nFrom: Jubilee <r-1@reply.example>\nSent: Friday, 20 November 2026 12:00 PM\nTo: Kim\nSubject: Isla Brennan wrote\n\n${shown}`,
    ],
    ['a program that writes no line of its own', `Yes, there is.\n\n${shown}`],
  ])('keeps only the words above it, from %s', (_, text) => {
    expect(visible(text)).toBe('Yes, there is.')
  })
})

/** The words of a mail as a program shows them, each block on a line of its own. */
function textOf(html: string): string {
  return html
    .replaceAll(/<(style|title)[\s\S]*?<\/\1>|<!--[\s\S]*?-->/g, '')
    .replaceAll(/<\/(?:p|td|div|tr)>/g, '\n')
    .replaceAll(/<img[^>]*alt="([^"]*)"[^>]*>/g, '$1')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/\n{2,}/g, '\n')
}
