import { describe, expect, it } from 'vitest'
import { htmlToText } from '../../adapters/inbound-mail/html-text.ts'
import { isAutomatic, visibleReply } from './reply-rules.ts'

const MARK = 'Write your reply above this line.'
const visible = (text: string) => visibleReply(text, MARK, 'reply.example')

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

  it('returns null for a text that is too long to be a message', () => {
    expect(visible('x\n'.repeat(4_000))).toBeNull()
    expect(visible('x'.repeat(40_000))).toBeNull()
    // The length of the quoted part doesn't matter.
    expect(visible(`Yes.\n> ${MARK}\n${'> quoted\n'.repeat(100_000)}`)).toBe('Yes.')
  })

  // Each of these took between seconds and minutes, which grew with the square of its length or faster.
  it.each([
    ['lines of quotes', `Hi\n${'>\n'.repeat(40_000)}`, 'Hi'],
    ['quotes in one line', `Hi\n${'>'.repeat(1_000_000)}`, 'Hi'],
    ['patterns of replacement', `Hi ${'$`'.repeat(800)}\n-- \nKim`, `Hi ${'$`'.repeat(800)}`],
    ['a header without its end', 'On at '.repeat(800), 'On at '.repeat(800).trim()],
    ['addresses', '2000from<'.repeat(500), '2000from<'.repeat(500)],
    ['colons', `${':'.repeat(200)}\n`.repeat(20).trim(), `${':'.repeat(200)}\n`.repeat(20).trim()],
    ['separators', `${'-'.repeat(90)}\n`.repeat(50).trim(), `${'-'.repeat(90)}\n`.repeat(50).trim()],
  ])('reads %s once', (_, text, reply) => {
    expect(visible(text)).toBe(reply)
  })
})

describe('the header above a quotation', () => {
  const ADDRESS = `r-${'0a'.repeat(20)}@reply.example`
  const OURS = 'hello@jubilee.example'
  /** As programs write it, by language or program. */
  const HEADERS: [string, string][] = [
    ['English', `On Fri, 20 Nov 2026 at 12:00, Jubilee <${OURS}> wrote:`],
    [
      'English, wrapped before the address',
      `On Fri, 20 Nov 2026 at 12:00, The Walled Garden via Jubilee\n<${OURS}> wrote:`,
    ],
    [
      'English, wrapped twice',
      `On Fri, 20 Nov 2026 at 12:00, The Walled Garden via Jubilee\n<\n${OURS}> wrote:`.replace('<\n', '<'),
    ],
    ['American', `On Fri, Nov 20, 2026 at 12:00 PM Jubilee <${OURS}> wrote:`],
    ['Thunderbird', 'On 20/11/26 12:00, Jubilee wrote:'],
    ['Outlook for Mac', `On 20/11/2026, 12:00, "Jubilee" <${OURS}> wrote:`],
    ['Danish', `Den fre. 20. nov. 2026 kl. 12.00 skrev Jubilee <${OURS}>:`],
    ['Norwegian', `fre. 20. nov. 2026 kl. 12:00 skrev Jubilee <${OURS}>:`],
    ['Swedish', `Den fre 20 nov. 2026 kl 12:00 skrev Jubilee <${OURS}>:`],
    ['Finnish', `pe 20. marrask. 2026 klo 12.00 Jubilee (${OURS}) kirjoitti:`],
    ['German', `Am Fr., 20. Nov. 2026 um 12:00 Uhr schrieb Jubilee <${OURS}>:`],
    ['German on a phone', `Am 20.11.2026 um 12:00 schrieb Jubilee <${OURS}>:`],
    ['French', `Le ven. 20 nov. 2026 à 12:00, Jubilee <${OURS}> a écrit :`],
    ['French with hours', `Le 20 nov. 2026 à 12h00, Jubilee <${OURS}> a écrit :`],
    ['Spanish', `El vie, 20 nov 2026 a las 12:00, Jubilee (<${OURS}>) escribió:`],
    ['Italian', `Il giorno ven 20 nov 2026 alle ore 12:00 Jubilee <${OURS}> ha scritto:`],
    ['Dutch', `Op vr 20 nov 2026 om 12:00 schreef Jubilee <${OURS}>:`],
    ['Portuguese', `Em sex., 20 de nov. de 2026 às 12:00, Jubilee <${OURS}> escreveu:`],
    ['Polish', `pt., 20 lis 2026 o 12:00 Jubilee <${OURS}> napisał(a):`],
    ['Czech', `pá 20. 11. 2026 v 12:00 odesílatel Jubilee <${OURS}> napsal:`],
    ['Hungarian', `Jubilee <${OURS}> ezt írta (időpont: 2026. nov. 20., P, 12:00):`],
    ['Russian', `пт, 20 нояб. 2026 г. в 12:00, Jubilee <${OURS}>:`],
    ['Ukrainian', `пт, 20 лист. 2026 р. о 12:00 Jubilee <${OURS}> пише:`],
    ['Greek', `Στις Παρ 20 Νοε 2026 στις 12:00 μ.μ., ο χρήστης Jubilee <${OURS}> έγραψε:`],
    ['Turkish', `Jubilee <${OURS}>, 20 Kas 2026 Cum, 12:00 tarihinde şunu yazdı:`],
    [
      'Arabic',
      `\u202bفي الجمعة، ٢٠ نوفمبر ٢٠٢٦ في ١٢:٠٠ م تمت كتابة ما يلي بواسطة \u202aJubilee\u202c\u200f <\u202a${OURS}\u202c\u200f>:\u202c`,
    ],
    ['Persian', `در تاریخ جمعه ۲۰ نوامبر ۲۰۲۶،\u200f ۱۲:۰۰ Jubilee <${OURS}> نوشت:`],
    [
      'Hebrew',
      `\u202bבתאריך יום ו׳, 20 בנוב׳ 2026 ב-12:00 מאת \u202aJubilee\u202c\u200f <\u202a${OURS}\u202c\u200f>:\u202c`,
    ],
    ['Hindi', `शुक्र, २० नव॰ २०२६ को १२:०० pm बजे को Jubilee <${OURS}> ने लिखा:`],
    ['Thai', `ในวันที่ ศ. 20 พ.ย. 2569 เวลา 12:00 Jubilee <${OURS}> เขียนว่า:`],
    ['Vietnamese', `Vào Th 6, 20 thg 11, 2026 vào lúc 12:00 Jubilee <${OURS}> đã viết:`],
    ['Indonesian', `Pada tanggal Jum, 20 Nov 2026 12.00, Jubilee <${OURS}> menulis:`],
    ['Chinese', `Jubilee <${OURS}> 于2026年11月20日周五 12:00写道：`],
    ['Chinese on a phone', `在 2026年11月20日，12:00，Jubilee <${OURS}> 写道：`],
    ['Chinese in Taiwan', `Jubilee <${OURS}> 於 2026年11月20日 週五 下午12:00寫道：`],
    ['Japanese', `2026年11月20日(金) 12:00 Jubilee <${OURS}>:`],
    ['Korean', `2026년 11월 20일 (금) 오후 12:00, Jubilee <${OURS}>님이 작성:`],
    [
      'Samsung',
      `-------- Original message --------\nFrom: Jubilee <${OURS}>\nDate: 20/11/2026 12:00 (GMT+10:00)\nTo: kim@example.com\nSubject: New message`,
    ],
    [
      'Outlook',
      `________________________________\nFrom: Jubilee <${OURS}>\nSent: Friday, 20 November 2026 12:00 PM\nTo: Kim\nSubject: New message`,
    ],
    [
      'Outlook in German, without a line',
      `Von: Jubilee <${OURS}>\nGesendet: Freitag, 20. November 2026 12:00\nAn: Kim\nBetreff: Neue Nachricht`,
    ],
    [
      'Outlook in Chinese',
      `发件人： Jubilee <${OURS}>\n发送时间： 2026年11月20日 12:00\n收件人： Kim\n主题： 新消息`,
    ],
    [
      'Outlook with bold labels',
      `*From:* Jubilee <${OURS}>\n*Sent:* Friday, 20 November 2026 12:00 PM\n*To:* Kim\n*Subject:* New message`,
    ],
  ]

  it.each(HEADERS)('isn’t part of the message: %s', (_, header) => {
    for (const below of [`\n\n> ${MARK}\n> Hello`, `\n> Hello`, `\n\n${MARK}\n\nHello Kim`]) {
      expect(visible(`Yes, it is.\n\n${header}${below}`)).toBe('Yes, it is.')
      expect(visible(`${header}${below}`)).toBe('')
    }
    const quoted = `${header}\n\n${MARK}\nHello`.replaceAll(/^/gm, '> ')
    expect(visible(`Yes, it is.\n\n${quoted}`)).toBe('Yes, it is.')
  })

  it.each(HEADERS.filter(([, header]) => header.includes('<')))(
    'ends the message also without a quotation: %s',
    (_, header) => {
      expect(visible(`Yes, it is.\n\n${header}`)).toBe('Yes, it is.')
      expect(visible(`Yes, it is.\n\n${header}\n\nHello Kim`)).toBe('Yes, it is.')
    },
  )

  it.each([
    'On Saturday my mum wrote:\nYes please!',
    'My mum asks:\n\nOn Saturday my mum wrote:',
    'On Saturday my mum wrote:\n\nWe come on 20 November 2026 at 14:00.',
    'The plan for 20 November 2026, 14:00:\nArrival\nDinner at 18:00',
    'Name: Kim Lee\nEmail: kim@example.com\nDate: 20/11/2026\nGuests: 50',
    'Write to the florist (flo@example.com) by Friday: she decides.',
    'Two rooms:\n-----\nGarden\n-----\nHall',
    'I have an iPhone',
    'We come on 20/11/2026\nat 14:00.\nContact me (kim@example.com)\nMy questions:\nIs there a piano?',
    'We wrote to you on 20/11/2026 at 12:00',
  ])('never includes what a person wrote: %j', (text) => {
    expect(visible(text)).toBe(text)
  })

  it('isn’t what a person wrote above a quotation', () => {
    expect(visible('On Saturday my mum wrote:\n> It is lovely.')).toBe('On Saturday my mum wrote:')
    expect(visible(`Come at 14:00 on 20/11/2026\nJubilee <${OURS}> wrote:\n> Hello`)).toBe(
      'Come at 14:00 on 20/11/2026',
    )
    expect(visible(`We come on 20 November 2026.\nKim\n\n> ${MARK}`)).toBe(
      'We come on 20 November 2026.\nKim',
    )
  })

  it('never lets a reply address through, even in a form that nobody knows', () => {
    expect(visible(`Yes, it is.\n\n~~ Jubilee | ${ADDRESS} ~~\n\n> Hello`)).toBe('Yes, it is.')
    expect(visible(`Yes, it is.\n${ADDRESS.toUpperCase()}\nHello`)).toBe('Yes, it is.')
  })

  it.each([
    'Sent from my iPhone',
    'Get Outlook for iOS<https://aka.ms/o0ukef>',
    'Von meinem iPhone gesendet',
    'Envoyé de mon iPhone',
    'Enviado desde mi iPhone',
    'Sendt fra min iPhone',
    '发自我的iPhone',
    'iPhoneから送信',
    'Đã gửi từ iPhone của tôi',
    'iPhone’umdan gönderildi',
  ])('may follow the note of a program, which is left out: %s', (note) => {
    expect(visible(`Yes, it is.\n\n${note}\n\nOn 20/11/26 12:00, Jubilee wrote:\n> Hello`)).toBe(
      'Yes, it is.',
    )
  })

  it('isn’t part of the message of a phone that sends HTML alone', () => {
    for (const [name, header] of HEADERS) {
      const html = header.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br>')
      for (const quoted of [
        `<div class="gmail_quote"><div dir="ltr" class="gmail_attr">${html}<br></div><blockquote><p>${MARK}</p><p>Hello</p></blockquote></div>`,
        `<div>${html}</div><div><p>${MARK}</p><p>Hello</p></div>`,
      ])
        expect(visible(htmlToText(`<html><body><div dir="auto">Yes, it is.</div><br>${quoted}`)), name).toBe(
          'Yes, it is.',
        )
    }
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
