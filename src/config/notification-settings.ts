import { Secret } from '../lib/secrets/secret.ts'
import { emailAddress, flag, optional, setting, wholeNumber } from './setting.ts'

const kinds = [
  'service',
  'disk',
  'quota',
  'errors',
  'webhook',
  'domain',
  'certificate',
  'mirror',
  'edge',
  'backup',
] as const
type Kind = (typeof kinds)[number]

/** What is told of what is wrong, and to whom. */
export const notificationSettings = {
  smtpUrl: setting(
    'SMTP_URL',
    '',
    'The server that notifications are mailed through: `smtps://user:password@mail.example.org` for TLS from the beginning, `smtp://…:587` for STARTTLS, which is insisted on. What is not a letter or a digit in user and password is percent-encoded. Needs `SMTP_FROM` and `NOTIFY_TO`',
    optional(smtpUrl),
  ),
  smtpFrom: setting('SMTP_FROM', '', 'The sender of such mail', optional(emailAddress)),
  smtpAllowPlain: flag(
    'SMTP_ALLOW_PLAIN',
    'Send mail, and a password in SMTP_URL, without TLS where the server offers none; for relays in a network that nobody else is in',
  ),
  notifyTo: setting(
    'NOTIFY_TO',
    '',
    'Who gets notifications by e-mail: up to 20 addresses, separated by commas',
    emailAddresses,
  ),
  notifyEmailKinds: setting(
    'NOTIFY_EMAIL_KINDS',
    'all',
    `Which notifications are mailed: \`all\`, \`none\`, or some of ${kinds.map((kind) => `\`${kind}\``).join(', ')}, separated by commas`,
    notificationKinds,
  ),
  notifyWebhookKinds: setting(
    'NOTIFY_WEBHOOK_KINDS',
    'all',
    'Which notifications webhooks are told of, in the same words',
    notificationKinds,
  ),
  diskWarningPercent: setting(
    'DISK_WARNING_PERCENT',
    '10',
    'Below how many percent of free disk there is a notification; at half of it, an urgent one',
    wholeNumber(1, 90),
  ),
  errorWarningPercent: setting(
    'ERROR_WARNING_PERCENT',
    '5',
    'From how many percent of 5xx among the responses of five minutes on there is a notification',
    wholeNumber(1, 100),
  ),
} as const

interface Given {
  readonly smtpUrl: unknown
  readonly smtpFrom: unknown
  readonly notifyTo: readonly string[] | undefined
}

/** One sentence a fault. What could not be read has its own already. */
export function notificationFaults({ smtpUrl: url, smtpFrom, notifyTo }: Given): readonly string[] {
  const others = [
    ['SMTP_FROM', smtpFrom !== undefined],
    ['NOTIFY_TO', (notifyTo?.length ?? 0) > 0],
  ] as const
  return url === undefined
    ? others.flatMap(([name, isSet]) => (isSet ? [`SMTP_URL must be set where ${name} is`] : []))
    : others.flatMap(([name, isSet]) => (isSet ? [] : [`${name} must be set where SMTP_URL is`]))
}

function smtpUrl(text: string): Secret {
  const url = URL.parse(text)
  const isPlain = url !== null && ['', '/'].includes(url.pathname) && url.search === ''
  if (!isPlain || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '')
    throw new Error('must be a URL such as smtps://user:password@mail.example.org')
  try {
    decodeURIComponent(url.username + url.password)
  } catch {
    throw new Error('must have user and password percent-encoded')
  }
  return new Secret(text)
}

function emailAddresses(text: string): readonly string[] {
  const all = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
  if (all.length > 20) throw new Error('must be 20 e-mail addresses at most')
  return all.map(emailAddress)
}

function notificationKinds(text: string): readonly Kind[] {
  if (text === 'all') return kinds
  if (text === 'none') return []
  return text.split(',').map((word) => {
    const found = kinds.find((kind) => kind === word.trim())
    if (found === undefined) throw new Error(`must be all, none, or some of ${kinds.join(', ')}`)
    return found
  })
}
