import { lineText, type RequestLine } from '../../../ports/traffic/request-log-store.ts'

export const accessLogFormats = ['json', 'combined'] as const
export type AccessLogFormat = (typeof accessLogFormats)[number]

/** One line without its end. */
export const accessLogLine = (format: AccessLogFormat, line: RequestLine): string =>
  format === 'json' ? jsonLine(line) : combinedLine(line)

/**
 * All that is kept of a request, with a time that other programs read. The text is changed and not the line: a copy of
 * it without `at` takes three times as long as all the rest.
 */
const jsonLine = (line: RequestLine): string => {
  const text = lineText(line)
  return `{"time":"${new Date(line.at).toISOString()}"${text.slice(text.indexOf(','))}`
}

/**
 * The combined log format of Apache and nginx. Of the client there is the first address of its network, and
 * who somebody came as is a credential's id; the version of HTTP, which is not kept, is always 1.1.
 */
function combinedLine(line: RequestLine): string {
  const { at, method, path, status, bytes, network = '', by, referrer, agent } = line
  const client = network.split('/', 1)[0]
  const words = [client === '' ? '-' : client, '-', by === undefined ? '-' : plain(by.id)]
  const request = quoted(`${method} ${path} HTTP/1.1`)
  const sent = [status, bytes === 0 ? '-' : bytes]
  const from = quoted(referrer === undefined ? '-' : `https://${referrer}/`)
  return [...words, `[${clockOf(at)}]`, request, ...sent, from, quoted(agent ?? '-')].join(' ')
}

/** As `28/Nov/2026:19:55:03 +0000`. */
function clockOf(at: number): string {
  const [, day, month, year, time] = new Date(at).toUTCString().split(' ')
  return `${day}/${month}/${year}:${time} +0000`
}

const plain = (text: string): string => text.replaceAll(/[^\w:.@-]/gu, '_')

/** Escaped as both servers do, so that nobody begins a line or a field of their own. */
const quoted = (text: string): string => `"${text.replaceAll(/["\\]|[^\u0020-\u007e]/gu, escaped)}"`

const escaped = (character: string): string =>
  [...Buffer.from(character)]
    .map((byte) => `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('')
