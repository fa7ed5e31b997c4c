import type { CSSProperties, ReactNode } from 'react'
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
import type { MailContent, MailSite } from '../../shared/mail.ts'

/** The widest that every program shows without scrolling sideways, in px. */
const WIDTH = 600
/** Pictures of businesses are three by two. */
const PICTURE = { width: WIDTH, height: 400 }

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
  ].join('')
}

const STYLES = [
  `body{background-color:${COLOURS.ground.light}}`,
  // iOS makes links of dates, addresses and numbers, in its own blue.
  'a[x-apple-data-detectors]{color:inherit!important;text-decoration:inherit!important}',
  '@media (max-width:480px){.m-inside{padding:24px 20px!important}.m-fact{display:block!important;width:auto!important;padding-bottom:0!important}.m-value{display:block!important;padding-top:0!important;padding-bottom:10px!important}}',
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

/**
 * The HTML part of a mail: tables and inline styles, which every mail program shows. React escapes all texts.
 * @param subject the title of the document
 */
export function renderMail(content: MailContent, subject: string, site: MailSite): string {
  const html = renderToStaticMarkup(<Frame content={content} subject={subject} site={site} />)
  // React asks for each picture in the head, which only a browser's page needs.
  return `<!doctype html>${html.replaceAll(/<link rel="preload"[^>]*>/g, '')}`
}

function Frame({ content, subject, site }: { content: MailContent; subject: string; site: MailSite }) {
  const { mark, lines, facts = [], link: button, second, calendar, business, why, settings } = content
  const { brand, publicUrl } = site
  const at = (path: string) => new URL(path, publicUrl).href
  return (
    <Html lang="en-AU">
      <Head>
        <title>{subject}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <style>{STYLES}</style>
      </Head>
      {/* What an inbox shows beside the subject. A reply is cut off at the mark, so nothing may stand above that. */}
      {mark ? null : <Preview>{lines.slice(1).join(' ').slice(0, 140)}</Preview>}
      {/* The library repeats the body's style on a cell without its class, which would stay light in the dark. */}
      <Body className="m-ground" style={{ margin: 0 }}>
        <Section className="m-ground" style={{ backgroundColor: COLOURS.ground.light }}>
          <Container style={{ maxWidth: WIDTH, width: '100%', padding: '24px 12px' }}>
            {mark ? (
              <Text className="m-quiet" style={small}>
                {mark}
              </Text>
            ) : null}
            <Section style={{ paddingBottom: 20 }}>
              <Row>
                <Column style={{ width: 52 }}>
                  <Img src={at('/mail-mark.png')} width={40} height={40} alt="" />
                </Column>
                <Column>
                  <Link href={publicUrl.href} className="m-brand" style={wordmark}>
                    {brand}
                  </Link>
                </Column>
              </Row>
            </Section>
            <Section className="m-card" style={card}>
              {business ? (
                <Row>
                  <Column>
                    <Link href={at(href('/business/:id', { id: business.id }))}>
                      <Img
                        src={at(href('/business/:id/picture', { id: business.id }))}
                        {...PICTURE}
                        alt={business.name}
                        style={picture}
                      />
                    </Link>
                  </Column>
                </Row>
              ) : null}
              <Row>
                <Column className="m-inside" style={{ padding: '32px 32px 28px' }}>
                  {lines.map((line, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a mail is rendered once
                    <Text key={index} className="m-text" style={text}>
                      {withLinks(line, publicUrl)}
                    </Text>
                  ))}
                  {facts.length > 0 ? <Facts facts={facts} /> : null}
                  {button ? (
                    <Button href={button.url} className="m-action" style={action}>
                      {button.label}
                    </Button>
                  ) : null}
                  {second ? <Further {...second} /> : null}
                  {calendar ? <Further label="Add to calendar" url={calendar} /> : null}
                </Column>
              </Row>
            </Section>
            <Text className="m-quiet" style={{ ...small, margin: '20px 0 4px' }}>
              {why}
            </Text>
            <Text className="m-quiet" style={{ ...small, margin: 0 }}>
              {settings ? (
                <>
                  <Link href={settings} className="m-brand" style={link}>
                    Choose which emails you get
                  </Link>
                  {' · '}
                </>
              ) : null}
              <Link href={at(href('/advice-support'))} className="m-brand" style={link}>
                Help and advice
              </Link>
            </Text>
          </Container>
        </Section>
      </Body>
    </Html>
  )
}

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
  borderRadius: '13px 13px 0 0',
  // The text in the picture's place, where a program doesn't load it.
  fontFamily: SERIF,
  fontSize: 20,
  color: COLOURS.brand.light,
  backgroundColor: COLOURS.ground.light,
}
const action: CSSProperties = {
  marginTop: 8,
  padding: '13px 22px',
  borderRadius: 10,
  fontFamily: SANS,
  fontSize: 16,
  fontWeight: 600,
  backgroundColor: COLOURS.action.light,
  color: COLOURS.onAction.light,
}

function Facts({ facts }: { facts: NonNullable<MailContent['facts']> }) {
  const cell: CSSProperties = { ...text, margin: 0, paddingTop: 7, paddingBottom: 7, verticalAlign: 'top' }
  return (
    <>
      <Hr className="m-line" style={{ borderTop: `1px solid ${COLOURS.line.light}`, margin: '8px 0 12px' }} />
      {facts.map(([label, value]) => (
        <Row key={`${label} ${value}`}>
          <Column
            className="m-fact m-quiet"
            style={{ ...cell, paddingRight: 16, width: '36%', color: COLOURS.quiet.light }}
          >
            {label}
          </Column>
          <Column className="m-value m-text" style={cell}>
            {value}
          </Column>
        </Row>
      ))}
      <Hr
        className="m-line"
        style={{ borderTop: `1px solid ${COLOURS.line.light}`, margin: '12px 0 16px' }}
      />
    </>
  )
}

function Further({ label, url }: { label: string; url: string }) {
  return (
    <Text className="m-text" style={{ ...text, margin: '16px 0 0' }}>
      <Link href={url} className="m-brand" style={link}>
        {label}
      </Link>
    </Text>
  )
}

/** Makes links of our own addresses in a line. Others stay text: people type them. */
function withLinks(line: string, { origin }: URL): ReactNode {
  return line.split(/(https?:\/\/\S+)/).map((part, index) =>
    index % 2 === 1 && part.startsWith(`${origin}/`) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a mail is rendered once
      <Link key={index} href={part} className="m-brand" style={link}>
        {part}
      </Link>
    ) : (
      part
    ),
  )
}
