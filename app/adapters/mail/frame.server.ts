import { type CSSProperties, Fragment, createElement as h, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import {
  Body,
  Button,
  Column,
  Container,
  Head,
  Hr,
  Html,
  Img,
  Link,
  Preview,
  Row,
  Section,
  Text,
} from 'react-email'
import { href } from 'react-router'
import {
  type MailContent,
  type MailLink,
  type MailSite,
  type MailTone,
  mailLinks,
  mailParagraphs,
} from '../../shared/mail.ts'

/** The widest that every program shows without scrolling sideways, in px. */
const WIDTH = 600
/** Pictures of businesses are three by two. */
const PICTURE = { width: WIDTH, height: 400 }

/** The site that sends a mail. `runBy` says who runs it, with their ABN and address. */
export type SendingSite = MailSite & { runBy: string }

/** The palette of the site: light as styles of each element, dark as a class, for the programs that read style sheets. */
const COLOURS = {
  ground: { light: '#FBF7F0', dark: '#141B1D' },
  card: { light: '#FFFFFF', dark: '#1C2528' },
  text: { light: '#1F2A2E', dark: '#F4EEE3' },
  quiet: { light: '#5A6468', dark: '#A9B3B4' },
  brand: { light: '#2F5D50', dark: '#8FC9B4' },
  action: { light: '#B92B3A', dark: '#FF8A7A' },
  onAction: { light: '#FFFFFF', dark: '#141B1D' },
  line: { light: '#E9DFCF', dark: '#3A474B' },
} as const

/** The headline's text and its ground by tone. Only a thing to do and bad news have a colour that asks for attention. */
const TONES = {
  good: { text: { light: '#1F6B45', dark: '#7FD0A0' }, ground: { light: '#E4EEE6', dark: '#21352F' } },
  waits: { text: { light: '#1F2A2E', dark: '#F4EEE3' }, ground: { light: '#FCEFCF', dark: '#3A3119' } },
  bad: { text: { light: '#A3161F', dark: '#FF9D93' }, ground: { light: '#FBE9E7', dark: '#3A2326' } },
  plain: { text: { light: '#2F5D50', dark: '#8FC9B4' }, ground: { light: '#F4ECDF', dark: '#0F1517' } },
} as const satisfies Record<MailTone, Record<'text' | 'ground', { light: string; dark: string }>>

/** A picture of a party beside bad news, or beside the report of a refund, would mock its reader. */
const PICTURED: ReadonlySet<MailTone> = new Set(['good', 'waits'])

const SANS = "Figtree, 'Helvetica Neue', Helvetica, Arial, sans-serif"
const SERIF = "Fraunces, Georgia, 'Times New Roman', serif"

/** @param selector before each class: Outlook on the web marks a dark mail by attributes instead of a media query */
function darkRules(selector: (attribute: 'ogsc' | 'ogsb') => string): string {
  const { ground, card, text, quiet, brand, action, onAction, line } = COLOURS
  const [colour, back] = [selector('ogsc'), selector('ogsb')]
  return [
    `${back}.m-ground{background-color:${ground.dark}!important}`,
    `${back}.m-card{background-color:${card.dark}!important}`,
    `${back}.m-card{border-color:${line.dark}!important}`,
    `${colour}.m-text{color:${text.dark}!important}`,
    `${colour}.m-quiet{color:${quiet.dark}!important}`,
    `${colour}.m-brand{color:${brand.dark}!important}`,
    `${back}.m-action{background-color:${action.dark}!important}`,
    `${colour}.m-action{color:${onAction.dark}!important}`,
    `${back}.m-line{border-color:${line.dark}!important}`,
    ...Object.entries(TONES).flatMap(([tone, { text: words, ground: band }]) => [
      `${colour}.m-${tone}{color:${words.dark}!important}`,
      `${back}.m-${tone}-band{background-color:${band.dark}!important}`,
    ]),
  ].join('')
}

const STYLES = [
  `body{background-color:${COLOURS.ground.light}}`,
  // iOS makes links of dates, addresses and numbers, in its own blue.
  'a[x-apple-data-detectors]{color:inherit!important;text-decoration:inherit!important}',
  '@media (max-width:480px){.m-inside{padding:24px 20px!important}.m-band{padding:16px 20px!important}.m-fact{display:block!important;width:auto!important;padding-bottom:0!important}.m-value{display:block!important;padding-top:0!important;padding-bottom:10px!important}}',
  `@media (prefers-color-scheme:dark){${darkRules(() => '')}}`,
  darkRules((attribute) => `[data-${attribute}] `),
].join('')

const text: CSSProperties = {
  margin: '0 0 16px',
  fontFamily: SANS,
  fontSize: 16,
  lineHeight: '25px',
  color: COLOURS.text.light,
}
const small: CSSProperties = { ...text, fontSize: 13, lineHeight: '20px', color: COLOURS.quiet.light }
const link: CSSProperties = { color: COLOURS.brand.light, textDecoration: 'underline' }

const wordmark: CSSProperties = {
  fontFamily: SERIF,
  fontSize: 24,
  lineHeight: '40px',
  fontWeight: 600,
  color: COLOURS.brand.light,
  textDecoration: 'none',
}
const card: CSSProperties = {
  backgroundColor: COLOURS.card.light,
  border: `1px solid ${COLOURS.line.light}`,
  borderRadius: 14,
}
const picture: CSSProperties = {
  display: 'block',
  width: '100%',
  maxWidth: WIDTH,
  height: 'auto',
  // The text in the picture's place, where a program doesn't load it.
  fontFamily: SERIF,
  fontSize: 20,
  color: COLOURS.brand.light,
  backgroundColor: COLOURS.ground.light,
}
const headlineText: CSSProperties = {
  margin: 0,
  fontFamily: SERIF,
  fontSize: 22,
  lineHeight: '28px',
  fontWeight: 600,
  wordBreak: 'break-word',
}
const action: CSSProperties = {
  padding: '13px 22px',
  borderRadius: 10,
  fontFamily: SANS,
  fontSize: 16,
  fontWeight: 600,
  backgroundColor: COLOURS.action.light,
  color: COLOURS.onAction.light,
}

/**
 * The HTML part of a mail: tables and inline styles, which every mail program shows. React escapes all texts. Without JSX,
 * so that Node runs it as it stands, as in the benchmarks.
 * @param subject the title of the document
 */
export function renderMail(content: MailContent, subject: string, site: SendingSite): string {
  const html = renderToStaticMarkup(frame(content, subject, site))
  // React asks for each picture in the head, which only a browser's page needs.
  return `<!doctype html>${html.replaceAll(/<link rel="preload"[^<>]*>/g, '')}`
}

function frame(content: MailContent, subject: string, site: SendingSite): ReactNode {
  const { mark, lines } = content
  return h(
    Html,
    { lang: 'en-AU' },
    h(
      Head,
      null,
      h('title', null, subject),
      h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      h('meta', { name: 'color-scheme', content: 'light dark' }),
      h('meta', { name: 'supported-color-schemes', content: 'light dark' }),
      h('style', null, STYLES),
    ),
    // The preview that an inbox shows beside the subject. Replies are cut off at the mark, so a mail with one has no preview.
    mark ? null : h(Preview, null, lines.slice(1).join(' ').slice(0, 140)),
    h(
      Body,
      { className: 'm-ground', style: { margin: 0 } },
      // The library repeats the body's style on a cell without its class, which would stay light in the dark.
      h(
        Section,
        { className: 'm-ground', style: { backgroundColor: COLOURS.ground.light } },
        h(
          Container,
          { style: { maxWidth: WIDTH, width: '100%', padding: '24px 12px' } },
          mark ? h(Text, { className: 'm-quiet', style: small }, mark) : null,
          header(site),
          letter(content, site),
          footer(content, site),
        ),
      ),
    ),
  )
}

function header({ brand, publicUrl }: MailSite): ReactNode {
  const src = new URL('/mail-mark.png', publicUrl).href
  return h(
    Section,
    { style: { paddingBottom: 20 } },
    h(
      Row,
      null,
      h(Column, { style: { width: 52 } }, h(Img, { src, width: 40, height: 40, alt: '' })),
      h(Column, null, h(Link, { href: publicUrl.href, className: 'm-brand', style: wordmark }, brand)),
    ),
  )
}

function letter(content: MailContent, { publicUrl }: MailSite): ReactNode {
  const { headline, facts = [], link: button, business, stars } = content
  const { above, below } = mailParagraphs(content)
  const more = mailLinks(content).filter((each) => each !== button)
  const paragraph = (line: string, index: number) =>
    h(Text, { key: index, className: 'm-text', style: text }, withLinks(line, publicUrl))
  return h(
    Section,
    { className: 'm-card', style: card },
    headline ? headlineOf(headline) : null,
    business && (!headline || PICTURED.has(headline.tone))
      ? h(Row, null, h(Column, null, pictureOf(business, { publicUrl, isFirst: !headline })))
      : null,
    h(
      Row,
      null,
      h(
        Column,
        // An email address may be wider than a phone.
        { className: 'm-inside', style: { padding: '32px 32px 28px', wordBreak: 'break-word' } },
        above.map(paragraph),
        button ? buttonOf(button) : null,
        below.map(paragraph),
        facts.length > 0 ? factRows(facts) : null,
        stars ? starRow(stars) : null,
        more.map(further),
      ),
    ),
  )
}

function headlineOf({ text: words, tone }: NonNullable<MailContent['headline']>): ReactNode {
  const colours = TONES[tone]
  return h(
    Row,
    null,
    h(
      Column,
      {
        className: `m-band m-${tone}-band`,
        style: { padding: '18px 32px', borderRadius: '13px 13px 0 0', backgroundColor: colours.ground.light },
      },
      h(Text, { className: `m-${tone}`, style: { ...headlineText, color: colours.text.light } }, words),
    ),
  )
}

function buttonOf({ label, url }: MailLink): ReactNode {
  return h(
    Row,
    null,
    h(
      Column,
      { style: { padding: '4px 0 24px' } },
      h(Button, { href: url, className: 'm-action', style: action }, label),
    ),
  )
}

/** @param at.isFirst whether nothing stands above it in the card, whose corners are round */
function pictureOf(
  { id, name }: NonNullable<MailContent['business']>,
  { publicUrl, isFirst }: { publicUrl: URL; isFirst: boolean },
): ReactNode {
  const at = (path: string) => new URL(path, publicUrl).href
  const src = at(href('/business/:id/picture', { id }))
  return h(
    Link,
    { href: at(href('/business/:id', { id })) },
    h(Img, {
      src,
      ...PICTURE,
      alt: name,
      style: { ...picture, borderRadius: isFirst ? '13px 13px 0 0' : 0 },
    }),
  )
}

/** A row of stars, each a link. Their columns stay beside each other on the narrowest phone. */
function starRow(stars: readonly MailLink[]): ReactNode {
  const star: CSSProperties = {
    display: 'inline-block',
    padding: '8px 0',
    fontFamily: SANS,
    fontSize: 36,
    lineHeight: '40px',
    textDecoration: 'none',
    color: COLOURS.brand.light,
  }
  return h(
    Row,
    null,
    stars.map(({ label, url }) =>
      h(
        Column,
        { key: url, style: { width: 52 } },
        h(Link, { href: url, className: 'm-brand', style: star, title: label, 'aria-label': label }, '★'),
      ),
    ),
    // The rest of the width.
    h(Column, { key: 'rest' }),
  )
}

/** The links below every mail. */
function footerLinks({ settings, stop }: MailContent, { publicUrl }: MailSite): MailLink[] {
  return [
    ...(stop ? [{ label: 'Stop these emails', url: stop }] : []),
    ...(settings ? [{ label: 'Choose which emails you get', url: settings }] : []),
    { label: 'Help and advice', url: new URL(href('/advice-support'), publicUrl).href },
  ]
}

/**
 * The plain text of a mail with the footer of its HTML part.
 * @param composed the text that `composeMail` wrote
 */
export function withFooter(composed: string, content: MailContent, site: SendingSite): string {
  const links = footerLinks(content, site).map(({ label, url }) => `${label}: ${url}`)
  return `${composed.trimEnd()}\n\n${[content.why, ...links, site.runBy].join('\n')}\n`
}

function footer(content: MailContent, site: SendingSite): ReactNode {
  return [
    h(Text, { key: 'why', className: 'm-quiet', style: { ...small, margin: '20px 0 4px' } }, content.why),
    h(
      Text,
      { key: 'links', className: 'm-quiet', style: { ...small, margin: 0 } },
      footerLinks(content, site).map(({ label, url }, index) => [
        index > 0 ? ' · ' : null,
        h(Link, { key: url, href: url, className: 'm-brand', style: link }, label),
      ]),
    ),
    h(Text, { key: 'who', className: 'm-quiet', style: { ...small, margin: '12px 0 0' } }, site.runBy),
  ]
}

function factRows(facts: NonNullable<MailContent['facts']>): ReactNode {
  const cell: CSSProperties = { ...text, margin: 0, paddingTop: 7, paddingBottom: 7, verticalAlign: 'top' }
  const label: CSSProperties = { ...cell, paddingRight: 16, width: '36%', color: COLOURS.quiet.light }
  const rule = (margin: string) => ({
    key: margin,
    className: 'm-line',
    style: { borderTop: `1px solid ${COLOURS.line.light}`, margin },
  })
  return [
    h(Hr, rule('8px 0 12px')),
    ...facts.map(([name, value]) =>
      h(
        Fragment,
        { key: `${name} ${value}` },
        h(
          Row,
          null,
          h(Column, { className: 'm-fact m-quiet', style: label }, name),
          h(Column, { className: 'm-value m-text', style: cell }, value),
        ),
      ),
    ),
    h(Hr, rule('12px 0 16px')),
  ]
}

function further({ label, url }: { label: string; url: string }): ReactNode {
  return h(
    Text,
    { key: url, className: 'm-text', style: { ...text, margin: '16px 0 0' } },
    h(Link, { href: url, className: 'm-brand', style: link }, label),
  )
}

/** Makes links of our own addresses in a line. Others stay text: people type them. */
function withLinks(line: string, { origin }: URL): ReactNode {
  return line
    .split(/(https?:\/\/\S+)/)
    .map((part, index) =>
      index % 2 === 1 && part.startsWith(`${origin}/`)
        ? h(Link, { key: index, href: part, className: 'm-brand', style: link }, part)
        : part,
    )
}
