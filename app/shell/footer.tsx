import type { ReactNode } from 'react'
import { href } from 'react-router'
import { Link } from '../ui/link.tsx'
import { RenderedOnce } from '../ui/rendered-once.tsx'
import { ThemeSwitch } from '../ui/theme-switch.tsx'
import { Festoon } from './festoon.tsx'
import { LinkList } from './link-list.tsx'
import { Logo } from './logo.tsx'
import {
  DASHBOARD_LINK,
  HELP_LINK,
  LIST_LINK,
  MAIN_LINKS,
  PAYMENT_LINK,
  type SiteLink,
} from './site-links.ts'
import { SocialGlyph, type SocialNetwork } from './social-glyph.tsx'

const pathOf = (document: string) => href('/legal/:document', { document })

export const TERMS_PDF_PATH = pathOf('terms-of-service.pdf')

const PDFS = [
  [TERMS_PDF_PATH, 'Terms of Service (PDF)'],
  [pathOf('privacy-policy.pdf'), 'Privacy Policy (PDF)'],
] as const

/** Leads to the documents as pages, too. */
const ACCESSIBILITY_PATH = pathOf('accessibility-statement')

export type FooterProps = {
  brand: string
  contact: { address: string; phone: string; email: string }
  /** The brand's pages on social networks; a network without an address is left out. */
  social: Partial<Record<SocialNetwork, string>>
  /** The links to the categories. */
  links: readonly SiteLink[]
  newsletter: ReactNode
  /** The year of the copyright line. Passed in, because a cached page must not depend on the clock. */
  year: number
  isSlim: boolean
}

const NETWORKS: readonly { network: SocialNetwork; name: string }[] = [
  { network: 'facebook', name: 'Facebook' },
  { network: 'instagram', name: 'Instagram' },
  { network: 'tiktok', name: 'TikTok' },
  { network: 'youtube', name: 'YouTube' },
]

/** @param isSlim leaves out the newsletter and the links to look around */
export function Footer({ brand, contact, social, links, newsletter, year, isSlim }: FooterProps) {
  const address = (
    <address className="footer-contact">
      <Logo brand={brand} />
      <p>{contact.address}</p>
      <p>
        <a href={`tel:${contact.phone.replaceAll(/[^\d+]/g, '')}`}>{contact.phone}</a>
        <br />
        <a href={`mailto:${contact.email}`}>{contact.email}</a>
      </p>
    </address>
  )
  const finePrint = <FinePrint hasHelp={isSlim} />
  return (
    <footer className={isSlim ? 'site-footer site-footer-slim at-night' : 'site-footer at-night'}>
      {isSlim ? null : <Festoon />}
      <div className="page">
        {isSlim ? (
          <div className="footer-slim">
            {address}
            {finePrint}
          </div>
        ) : (
          <>
            <div className="footer-top">
              <div className="footer-letter">{newsletter}</div>
              {address}
            </div>
            <div className="footer-links">
              <nav aria-label="Categories, footer">
                <h2>Find</h2>
                <LinkList className="footer-columns" links={links} />
              </nav>
              <nav aria-label={brand}>
                <h2>{brand}</h2>
                <LinkList links={[...MAIN_LINKS, HELP_LINK, LIST_LINK, DASHBOARD_LINK, PAYMENT_LINK]} />
              </nav>
              <div>
                <h2>The fine print</h2>
                {finePrint}
              </div>
            </div>
          </>
        )}
        <RenderedOnce as="div" className="footer-end" inside={FooterEnd} data={{ brand, social, year }} />
      </div>
    </footer>
  )
}

function FooterEnd({ brand, social, year }: Pick<FooterProps, 'brand' | 'social' | 'year'>) {
  return (
    <>
      <p>
        © {year} {brand}
      </p>
      <ThemeSwitch name="footer-theme" />
      <ul className="footer-social" aria-label="Follow us">
        {NETWORKS.map(({ network, name }) =>
          social[network] ? (
            <li key={network}>
              <a href={social[network]} className="icon-button" aria-label={name} rel="noopener me">
                <SocialGlyph network={network} />
              </a>
            </li>
          ) : null,
        )}
      </ul>
    </>
  )
}

/** The links to our documents. @param props.hasHelp whether the help is among them, where nothing else leads to it */
function FinePrint({ hasHelp }: { hasHelp: boolean }) {
  return (
    <ul>
      {hasHelp ? (
        <li>
          <Link to={HELP_LINK.to}>{HELP_LINK.label}</Link>
        </li>
      ) : null}
      {PDFS.map(([path, label]) => (
        <li key={path}>
          <a href={path} download>
            {label}
          </a>
        </li>
      ))}
      <li>
        <Link to={ACCESSIBILITY_PATH}>Accessibility</Link>
      </li>
    </ul>
  )
}
