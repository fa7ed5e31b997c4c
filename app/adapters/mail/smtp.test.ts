import { createServer, type Server } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createSmtpMail } from './smtp.server.ts'

const MAIL = {
  messageId: '<one@jubilee.example>',
  to: 'kim.lee@example.com',
  subject: 'Choose a new password',
  text: 'https://jubilee.example/reset-password?token=secret',
  html: '<p>secret</p>',
}
const FROM = 'hello@jubilee.example'

let server: Server | null = null
afterEach(() => void server?.close())

/**
 * A small mail server without TLS.
 * @param answer returns the reply to a command, or null for '250 fine'
 * @returns the server's port, and every line that it received
 */
async function startSmtp(greets: readonly string[], answer: (command: string) => string | null = () => null) {
  const heard: string[] = []
  const listening = createServer((socket) => {
    let rest = ''
    let inMail = false
    socket.on('error', () => {})
    socket.write('220 mail.example ESMTP\r\n')
    socket.on('data', (chunk) => {
      rest += chunk.toString('latin1')
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        heard.push(line)
        if (inMail && line !== '.') continue
        const given = answer(line)
        if (given) socket.write(`${given}\r\n`)
        else if (/^EHLO/i.test(line))
          socket.write(
            ['mail.example', ...greets]
              .map((text, index) => `250${index < greets.length ? '-' : ' '}${text}\r\n`)
              .join(''),
          )
        else if (line === 'STARTTLS') socket.write('502 unknown command\r\n')
        else if (/^DATA/i.test(line)) {
          inMail = true
          socket.write('354 go on\r\n')
        } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
        else {
          inMail = false
          socket.write(/^AUTH/i.test(line) ? '235 welcome\r\n' : '250 fine\r\n')
        }
      }
    })
  })
  server = listening
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const address = listening.address()
  return { port: typeof address === 'object' && address ? address.port : 0, heard }
}

const mailTo = (port: number, requireTls: boolean) =>
  createSmtpMail({ url: `smtp://user:the-password@127.0.0.1:${port}`, from: FROM, requireTls }, 2_000)

async function failureOf(sending: Promise<void>): Promise<Error & { code?: string }> {
  try {
    await sending
  } catch (error) {
    return error as Error
  }
  throw new Error('the mail was taken')
}

describe('a mail server that must offer TLS', () => {
  it.each([
    ['doesn’t offer it', ['AUTH PLAIN LOGIN'], () => null],
    [
      'offers it and then refuses it',
      ['STARTTLS', 'AUTH PLAIN'],
      (line: string) => (line === 'STARTTLS' ? '454 TLS not available' : null),
    ],
  ])('gets neither the password nor any part of the mail when it %s', async (_, greets, answer) => {
    const { port, heard } = await startSmtp(greets, answer)
    const error = await failureOf(mailTo(port, true).send(MAIL))
    expect(error.message).toContain('SMTP_ALLOW_PLAIN')
    const said = heard.join('\n')
    expect(said).not.toMatch(/AUTH|MAIL FROM|RCPT|DATA|kim\.lee|secret|the-password/)
    expect(said).not.toContain(Buffer.from('the-password').toString('base64').slice(0, 12))
    expect(heard.every((line) => /^(EHLO|STARTTLS|QUIT)/.test(line))).toBe(true)
  })

  it('gets the mail without TLS only if that is allowed', async () => {
    const { port, heard } = await startSmtp(['AUTH PLAIN'])
    await mailTo(port, false).send(MAIL)
    expect(heard).toContain('RCPT TO:<kim.lee@example.com>')
    expect(heard).toContain('Message-ID: <one@jubilee.example>')
    expect(heard.some((line) => line.startsWith('Reply-To:'))).toBe(false)
  })

  it('gets the address of replies', async () => {
    const { port, heard } = await startSmtp(['AUTH PLAIN'])
    await mailTo(port, false).send({ ...MAIL, replyTo: 'r-1@reply.jubilee.example' })
    expect(heard).toContain('Reply-To: r-1@reply.jubilee.example')
  })
})

describe('a mail that comes again and again', () => {
  const unsubscribeUrl = `https://jubilee.example/newsletter/unsubscribe?email=kim.lee%40example.com&token=${'x'.repeat(43)}`

  it('carries the headers by which mail programs unsubscribe with one press', async () => {
    const { port, heard } = await startSmtp(['AUTH PLAIN'])
    await mailTo(port, false).send({ ...MAIL, unsubscribeUrl })
    // A long header goes on in the next line, which begins with a space.
    const said = heard.join('\n').replace(/\n[ \t]+/g, ' ')
    expect(said).toContain(`\nList-Unsubscribe: <${unsubscribeUrl}>\n`)
    expect(said).toContain('\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\n')
  })

  it('alone carries them', async () => {
    const { port, heard } = await startSmtp(['AUTH PLAIN'])
    await mailTo(port, false).send(MAIL)
    expect(heard.join('\n')).not.toContain('List-Unsubscribe')
  })
})

describe('the error of a mail that was not accepted', () => {
  it.each([
    ['the recipient', /^RCPT/, '550 5.1.1 <kim.lee@example.com>: no such user Kim Lee', 'RCPT TO'],
    ['the sender', /^MAIL/, '553 5.7.1 not for kim.lee@example.com', 'MAIL FROM'],
    ['the mail', /^\.$/, '554 5.7.1 spam for kim.lee@example.com: Choose a new password', 'DATA'],
    ['the password', /^AUTH/, '535 5.7.8 user the-password is wrong', 'AUTH'],
  ])('omits names, mail text and passwords when the server refuses %s', async (_, command, refusal) => {
    const { port } = await startSmtp(['AUTH PLAIN'], (line) => (command.test(line) ? refusal : null))
    const error = await failureOf(mailTo(port, false).send(MAIL))
    const everything = JSON.stringify([error, error.message, error.stack, error.cause, { ...error }])
    expect(everything).not.toMatch(/kim\.lee|Kim Lee|Choose a new|the-password/)
    // The operator needs the code to find the cause.
    expect(error.message).toContain(refusal.slice(0, 9))
  })

  it('names the connection error when the server is down', async () => {
    const { port } = await startSmtp([])
    await new Promise((resolve) => server?.close(resolve))
    const error = await failureOf(mailTo(port, false).send(MAIL))
    expect(error.message).toMatch(/ECONNREFUSED|ESOCKET/)
  })
})
