import { href } from 'react-router'
import type { MailMessage } from '../../adapters/mail/port.ts'
import { formatDate } from '../../shared/dates.ts'
import { composeMail, greeting, type MailSite } from '../../shared/mail.ts'
import { dueOn, type HalfYear, halfYearLabel } from './rules.ts'

/** To a vendor whose details the report lacks. Anybody can list with another person's address, so an unproved one gets no name. */
export function detailsAskedMail(
  userId: string,
  at: Date,
  to: { email: string; name: string; isProven: boolean },
  site: MailSite,
): MailMessage {
  return composeMail({
    id: `income-details-${userId}-${at.getTime()}`,
    to: to.email,
    site,
    subject: 'We need a few details for the Tax Office',
    content: {
      headline: { tone: 'waits', text: 'A few details are missing' },
      lines: [
        greeting(to.isProven ? to.name : ''),
        'The law makes us report to the Tax Office twice a year what vendors earn on our website. For that we need a few details about you that we don’t have yet. It takes a minute.',
        'Log in and open Payouts to see which ones. Please don’t send them by email.',
      ],
      link: {
        label: 'Add my details',
        url: `${new URL(href('/dashboard/payouts'), site.publicUrl).href}#tax-office`,
      },
      why: `You get this email because customers have paid for your bookings on ${site.brand}.`,
    },
  })
}

/** To an operator: a report has to be lodged, or one that was lodged lacks vendors. */
export function reportDueMail(
  about: { half: HalfYear; daysBefore: number; incomplete: number; isLodged: boolean },
  to: string,
  site: MailSite,
): MailMessage {
  const { half, daysBefore, incomplete, isLodged } = about
  const due = formatDate(dueOn(half))
  const vendors = incomplete === 1 ? 'one vendor' : `${incomplete} vendors`
  const isOverdue = daysBefore < 0
  const state = isLodged ? `Lodged without ${vendors}` : isOverdue ? `Overdue since ${due}` : `Due by ${due}`
  return composeMail({
    id: `income-report-${half}-${daysBefore}-${to.replace('@', '-at-')}`,
    to,
    site,
    subject: isLodged
      ? `Income report for ${halfYearLabel(half)} lacks ${vendors}`
      : isOverdue
        ? `Income report overdue since ${due}`
        : `Income report due by ${due}`,
    content: {
      headline: { tone: 'waits', text: state },
      lines: isLodged
        ? [
            `The report of vendors’ income for ${halfYearLabel(half)} was lodged without ${vendors}, because details were missing.`,
            'Ask them under Tax. Once their details are there, make a correction and lodge it.',
          ]
        : [
            isOverdue
              ? `The report of vendors’ income for ${halfYearLabel(half)} had to be lodged with the Tax Office by ${due}. Please lodge it now.`
              : `The report of vendors’ income for ${halfYearLabel(half)} has to be lodged with the Tax Office by ${due}.`,
            incomplete === 0
              ? 'No vendor’s details are missing so far.'
              : `Details of ${vendors} are missing. Ask them under Tax.`,
          ],
      link: {
        label: 'Open Tax',
        url: `${new URL(href('/operations/tax'), site.publicUrl).href}?half=${half}`,
      },
      why: `You get this email because you look after the money on ${site.brand}.`,
    },
  })
}
