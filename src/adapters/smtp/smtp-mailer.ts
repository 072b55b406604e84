import { createTransport, type Transporter } from 'nodemailer'

import type { Mail, Mailer } from '../../ports/notifications/mailer.ts'

interface Options {
  /** `smtps://` is TLS from the beginning, `smtp://` turns to it (RFC 3207); user and password may be in it. */
  readonly url: string
  readonly from: string
  readonly to: readonly string[]
  /** Whether to send without TLS where the server offers none. */
  readonly allowPlain: boolean
  /** For servers with a private authority: PEM. */
  readonly trusted?: string
}

const withinMs = 20_000
const maxConnectionMs = 60_000

/** E-mail by SMTP (RFC 5321), a connection a message. */
export class SmtpMailer implements Mailer {
  readonly #transport: Transporter
  readonly #envelope: Pick<Options, 'from' | 'to'>

  constructor({ url, from, to, allowPlain, trusted }: Options) {
    const { protocol, hostname, port, username, password } = new URL(url)
    const secure = protocol === 'smtps:'
    this.#envelope = { from, to }
    this.#transport = createTransport({
      host: hostname.replace(/^\[|\]$/gu, ''),
      port: port === '' ? (secure ? 465 : 587) : Number(port),
      secure,
      requireTLS: !secure && !allowPlain,
      ...(username !== '' && {
        auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
      }),
      ...(trusted !== undefined && { tls: { ca: trusted } }),
      connectionTimeout: withinMs,
      greetingTimeout: withinMs,
      socketTimeout: withinMs,
      dnsTimeout: withinMs,
      // What is sent is text of ours: it names no files and no URLs to fetch.
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }

  async send({ subject, text, id }: Mail): Promise<void> {
    const { from, to } = this.#envelope
    const domain = from.slice(from.lastIndexOf('@') + 1)
    const deadline = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => deadline.reject(new Error('The SMTP server took too long')),
      maxConnectionMs,
    )
    try {
      const sent = this.#transport.sendMail({
        from: { name: 'Sedge', address: from },
        to: to.map((address) => ({ name: '', address })),
        subject,
        text,
        messageId: `<${id}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
      await Promise.race([sent, deadline.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  [Symbol.dispose](): void {
    this.#transport.close()
  }
}
