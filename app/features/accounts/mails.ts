import { href } from 'react-router'
import type { FactorChange, MailedAccount } from '../../adapters/accounts/port.ts'
import type { MailMessage } from '../../adapters/mail/port.ts'
import { newId } from '../../shared/ids.ts'
import { composeMail, greeting, type MailHeadline, type MailSite as Site } from '../../shared/mail.ts'

/** The mail with which the owner of an account proves its address. Its link works once, for an hour. */
export function verificationMail(to: MailedAccount, token: string, site: Site): MailMessage {
  return accountMail('verify', to, site, {
    headline: { tone: 'waits', text: 'Confirm your email' },
    subject: `Confirm your email for ${site.brand}`,
    lines: [
      greetingOf(to),
      'Please confirm that this address is yours. Bookings you made as a guest with it then appear under My Bookings.',
      'The link works once, for one hour. If you didn’t sign up, ignore this email, or open the link and choose ‘This wasn’t me’ to take your address off that account.',
    ],
    link: { label: 'Confirm my email', url: linkTo(href('/verify-email'), token, site) },
  })
}

/** The mail to a new address, which replaces the account's old one only through this link. */
export function emailChangeMail(to: MailedAccount, token: string, site: Site): MailMessage {
  return accountMail('change-email', to, site, {
    headline: { tone: 'waits', text: 'Confirm your new email' },
    subject: `Confirm your new email for ${site.brand}`,
    lines: [
      greetingOf(to),
      `You asked to use this address for your ${site.brand} account. Nothing changes until you confirm it.`,
      'The link works once, for one hour. If you didn’t ask for this, ignore this email, or open the link and choose ‘This wasn’t me’.',
    ],
    link: { label: 'Use this email', url: linkTo(href('/verify-email'), token, site) },
  })
}

/** The mail that lets a person choose a new password. Its link works once, for an hour. */
export function passwordResetMail(to: MailedAccount, token: string, site: Site): MailMessage {
  return accountMail('reset', to, site, {
    headline: { tone: 'waits', text: 'Choose a new password' },
    subject: `Choose a new password for ${site.brand}`,
    lines: [
      greetingOf(to),
      'Someone, hopefully you, asked for a new password. Choosing one logs you out everywhere.',
      'The link works once, for one hour. If it wasn’t you, nothing has changed and you can ignore this email.',
    ],
    link: { label: 'Choose a new password', url: linkTo(href('/reset-password'), token, site) },
  })
}

/** Tells the owner that the password has changed. */
export function passwordChangedMail(to: MailedAccount, site: Site): MailMessage {
  return accountMail('password-changed', to, site, {
    headline: { tone: 'plain', text: 'Your password was changed' },
    subject: `Your ${site.brand} password was changed`,
    lines: [
      greetingOf(to),
      'Your password was changed just now, and you were logged out everywhere else.',
      'If it wasn’t you, choose a new password at once.',
    ],
    link: { label: 'It wasn’t me', url: new URL(href('/forgot-password'), site.publicUrl).href },
  })
}

/** Tells the old address that the account has a new one. Its link undoes the change, once, within seven days. */
export function emailChangedMail(to: MailedAccount, token: string, site: Site): MailMessage {
  return accountMail('email-changed', to, site, {
    headline: { tone: 'plain', text: 'Your email was changed' },
    subject: `Your ${site.brand} email was changed`,
    lines: [
      greetingOf(to),
      `Your ${site.brand} account now uses another email. This address no longer belongs to it.`,
      'If it was you, there is nothing to do.',
      'If it wasn’t you, undo it: your account gets this address back, every browser is logged out, and you choose a new password. The link works once, for seven days.',
    ],
    link: { label: 'Undo the change', url: linkTo(href('/undo-email-change'), token, site) },
  })
}

/** Tells an address that the account left earlier. It got a link of its own, which undoes this change too. */
export function emailChangedAgainMail(to: MailedAccount, site: Site): MailMessage {
  return accountMail('email-changed-again', to, site, {
    headline: { tone: 'plain', text: 'Your email was changed again' },
    subject: `Your ${site.brand} email was changed again`,
    lines: [
      greetingOf(to),
      `Your ${site.brand} account has left this address in the last seven days. It has now changed its email once more.`,
      'If it was you, there is nothing to do.',
      'If it wasn’t you, use ‘Undo the change’ in the email that we sent you then. It undoes this change as well.',
    ],
    link: { label: 'Contact us', url: new URL(href('/advice-support'), site.publicUrl).href },
  })
}

/**
 * Tells an old address that was never confirmed. It may be a stranger's, so the mail contains neither the new address
 * nor a link into the account.
 */
export function emailLeftMail(to: MailedAccount, site: Site): MailMessage {
  return accountMail('email-left', to, site, {
    headline: { tone: 'plain', text: 'This email no longer belongs to an account' },
    subject: `This email no longer belongs to a ${site.brand} account`,
    lines: [
      greeting(''),
      `A ${site.brand} account that was opened with this address now uses a different one.`,
      'If it was your account and you didn’t change it, contact us.',
    ],
    link: { label: 'Contact us', url: new URL(href('/advice-support'), site.publicUrl).href },
  })
}

/** Tells the address that an undone change removes from the account. */
export function emailChangeUndoneMail(to: MailedAccount, site: Site): MailMessage {
  return accountMail('email-change-undone', to, site, {
    headline: { tone: 'plain', text: 'Your email was changed back' },
    subject: `Your ${site.brand} email was changed back`,
    lines: [
      greetingOf(to),
      'Your email was changed to this address. That change has now been undone, by the link that we emailed to the previous address. Every browser was logged out, and the account needs a new password.',
      'If you made the change and didn’t undo it, contact us.',
    ],
    link: { label: 'Contact us', url: new URL(href('/advice-support'), site.publicUrl).href },
  })
}

/**
 * Tells the owner about a sign-in on a device that the account has not been used on before. Its link ends every session,
 * once, within seven days.
 */
export function newDeviceMail(to: MailedAccount, token: string, site: Site, device: string): MailMessage {
  return accountMail('new-device', to, site, {
    headline: { tone: 'plain', text: 'New login to your account' },
    subject: `New login to your ${site.brand} account`,
    lines: [
      greetingOf(to),
      `Someone, hopefully you, has just logged in to your account: ${device}.`,
      'If it was you, there is nothing to do. You can turn these emails off in your settings.',
      'If it wasn’t you, log out every browser and choose a new password. The link works once, for seven days.',
    ],
    link: { label: 'This wasn’t me', url: linkTo(href('/not-me'), token, site) },
    canTurnOff: true,
  })
}

const FACTOR_CHANGES: Record<FactorChange['kind'], string> = {
  'second-factor-on': 'Two-step login was turned on for your account.',
  'second-factor-off': 'Two-step login was turned off for your account.',
  'recovery-codes-renewed': 'Your account got new recovery codes. The old ones no longer work.',
  'recovery-code-used': 'A recovery code was used to log in to your account.',
  'passkey-added': 'A passkey was added to your account. It logs in without your password.',
  'passkey-removed': 'A passkey was removed from your account.',
}

/**
 * Tells an address of the account about a change of a passkey or second factor.
 * @param token of the link that ends every session and forgets what was set up, once, within seven days; null for an
 * address that the account has left, whose earlier mail has a link of its own
 */
export function factorChangedMail(
  to: MailedAccount,
  token: string | null,
  site: Site,
  change: FactorChange['kind'],
): MailMessage {
  return accountMail('factor-changed', to, site, {
    headline: { tone: 'plain', text: 'How you log in has changed' },
    subject: `How you log in to ${site.brand} has changed`,
    lines: [
      greetingOf(to),
      FACTOR_CHANGES[change],
      'If it was you, there is nothing to do.',
      token
        ? 'If it wasn’t you, log out every browser, remove what was set up and choose a new password. The link works once, for seven days.'
        : 'Your account has left this address in the last seven days. If none of this was you, use the link in our email about that change, or contact us.',
    ],
    link: token
      ? { label: 'This wasn’t me', url: linkTo(href('/not-me'), token, site) }
      : { label: 'Contact us', url: new URL(href('/advice-support'), site.publicUrl).href },
  })
}

/** The last mail to a deleted account. */
export function accountDeletedMail(to: MailedAccount, site: Site): MailMessage {
  return accountMail('deleted', to, site, {
    headline: { tone: 'plain', text: 'Your account is deleted' },
    subject: `Your ${site.brand} account is deleted`,
    lines: [
      greetingOf(to),
      'Your account, your businesses, files, notifications and newsletter entry are deleted.',
      'We keep only the booking records that the law requires. Thank you for celebrating with us.',
    ],
    link: { label: `Go to ${site.brand}`, url: site.publicUrl.href },
  })
}

/**
 * Greets by name only at a confirmed address: anybody can sign up another person's address with a message as the name.
 */
function greetingOf({ name, emailVerified }: MailedAccount): string {
  return greeting(emailVerified ? name : '')
}

function linkTo(path: string, token: string, site: Site): string {
  const link = new URL(path, site.publicUrl)
  link.searchParams.set('token', token)
  return link.href
}

function accountMail(
  kind: string,
  to: MailedAccount,
  site: Site,
  {
    subject,
    headline,
    lines,
    link,
    canTurnOff = false,
  }: {
    subject: string
    headline: MailHeadline
    lines: string[]
    link: { label: string; url: string }
    canTurnOff?: boolean
  },
): MailMessage {
  return composeMail({
    id: `account-${kind}-${newId()}`,
    to: to.email,
    site,
    subject,
    content: {
      headline,
      lines,
      link,
      why: `You get this email because this address was entered for a ${site.brand} account.`,
      ...(canTurnOff ? { settings: new URL(href('/settings-privacy'), site.publicUrl).href } : {}),
    },
  })
}
