import type { Authenticator, PersonReach } from './authorize.ts'
import { readCookies, strictCookie } from '../request/cookies.ts'
import { isCrossSite } from './cross-site.ts'
import type { RequestHead } from '../wire/request-head.ts'

const name = 'cdn_session'

export interface SessionSettings {
  readonly lifeSeconds: number
  /** The public address of the dashboard, where one is configured. */
  readonly dashboardUrl: string | undefined
}

export const readSessionCookies = ({ headers }: RequestHead): readonly string[] =>
  readCookies(headers, name)

/** What `find` knows of the first cookie that is a session's. */
export async function presentedSession<T>(
  request: Request,
  find: (cookie: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (const cookie of readSessionCookies(request)) {
    const found = await find(cookie)
    if (found !== undefined) return found
  }
  return undefined
}

/** `Set-Cookie` for a session; without `value` the browser forgets the one it has. */
export const sessionCookie = (
  request: Request,
  value: string | undefined,
  { lifeSeconds, dashboardUrl }: SessionSettings,
): string =>
  strictCookie(name, value ?? '', {
    maxAgeSeconds: value === undefined ? 0 : lifeSeconds,
    isSecure: request.url.startsWith('https:') || dashboardUrl?.startsWith('https:') === true,
  })

type FindSession = (cookie: string) => Promise<SessionFound | undefined>

interface SessionFound {
  readonly id: string
  readonly newCookie: string | undefined
  readonly person?: PersonReach | undefined
}

interface Recognising extends SessionSettings {
  /** Whether the dashboard is at the address. */
  readonly hasDashboard: (url: string) => boolean
  /** Told of each request that comes with a good one. */
  readonly onSession?: (request: Request) => void
}

/**
 * Recognises the session of an operator or a person, where the dashboard is and nowhere else; `find` knows
 * those that are good.
 */
export const sessionAuthenticator =
  (find: FindSession, { hasDashboard, ...settings }: Recognising): Authenticator =>
  async (request) => {
    const found = hasDashboard(request.url) ? await presentedSession(request, find) : undefined
    if (found === undefined) return []
    settings.onSession?.(request)
    const { id, newCookie, person } = found
    return [
      {
        kind: 'session',
        id: person === undefined ? `session:${id}` : `person:${person.id}`,
        sessionId: id,
        ...(person && { person }),
        isCrossSite: isCrossSite(request, settings.dashboardUrl),
        ...(newCookie !== undefined && { setCookie: sessionCookie(request, newCookie, settings) }),
      },
    ]
  }
