import type { Passkeys } from '../../domain/access/passkeys/passkeys.ts'
import type { SessionSettings } from '../../http/access/session-cookie.ts'
import { type StaticFile, staticResponse, staticFile } from '../../http/response/static-file.ts'
import { pageHeaders } from './page-headers.ts'
import { passkeySiteOf } from './passkey-site.ts'

interface Dependencies {
  readonly file: (name: string) => Promise<StaticFile>
  readonly passkeys: Pick<Passkeys, 'hasAny'>
  readonly sessionSettings: SessionSettings
  /** What the identity provider is called; absent where there is none. */
  readonly providerName: string | undefined
}

/** The page to sign in at. It offers a passkey only where one can work, and first where there is one. */
export interface SignInPage {
  answer(request: Request): Promise<Response>
  /** The page that a link to come in leads to. */
  invite(request: Request): Promise<Response>
  /** A 401 or another refusal, with a message: text alone, so nothing of it can be markup. */
  refuse(request: Request, message: string, status?: number): Promise<Response>
}

export function createSignInPage(dependencies: Dependencies): SignInPage {
  const { file, passkeys, sessionSettings, providerName } = dependencies

  async function page(
    request: Request,
    message = '',
    fileName = 'login.html',
  ): Promise<StaticFile> {
    const { bytes, contentType } = await file(fileName)
    const site = passkeySiteOf(request, sessionSettings)
    const hasPasskey = site !== undefined && (await isRegistered(passkeys, site.rpId))
    const values: Readonly<Record<string, string>> = {
      message: Bun.escapeHTML(message),
      passkeys: hasPasskey ? 'registered' : 'none',
      passwordButton: hasPasskey ? 'button' : 'button button-primary',
      provider: providerName === undefined ? '' : providerLink(providerName, request),
      note: site === undefined ? noteAt(request) : '',
    }
    const text = new TextDecoder().decode(bytes)
    return staticFile(
      text.replaceAll(/<!-- (\w+) -->/gu, (_, name: string) => values[name] ?? ''),
      contentType,
    )
  }
  return {
    answer: async (request) => await staticResponse(request, await page(request), pageHeaders),
    invite: async (request) =>
      await staticResponse(request, await page(request, '', 'invitation.html'), pageHeaders),
    async refuse(request, message, status = 401) {
      const { bytes, contentType } = await page(request, message)
      const challenge = { 'WWW-Authenticate': 'Session realm="sedge"' }
      const headers = { ...pageHeaders, ...challenge, 'Content-Type': contentType }
      return new Response(bytes, { status, headers })
    },
  }
}

/** The sign-in leads back to the page that somebody wanted to see. */
function providerLink(name: string, { url }: Request): string {
  const to = new URL(url).searchParams.get('to')
  const query = to === null ? '' : `?to=${encodeURIComponent(to)}`
  const text = Bun.escapeHTML(`Sign in with ${name}`)
  return `<section><a class="button" href="/dashboard/oidc/start${query}">${text}</a><p class="or">or</p></section>`
}

/** Whoever cannot be told of passkeys signs in with the password. */
const isRegistered = async (passkeys: Dependencies['passkeys'], rpId: string): Promise<boolean> =>
  await passkeys.hasAny(rpId).catch(() => false)

/** Browsers bind passkeys to host names and refuse them at IP addresses. */
function noteAt({ url }: Request): string {
  const { protocol, hostname, port } = new URL(url)
  const why = 'Passkeys do not work at this address'
  if (!/^(?:127\.\d+\.\d+\.\d+|\[::1\])$/u.test(hostname))
    return `<p class="aside">${why}: they need <code>BASE_URL</code> to be set to one with a host name.</p>`
  const here = `${protocol}//localhost${port === '' ? '' : `:${port}`}/dashboard/login`
  return `<p class="aside">${why}. They do at <a href="${here}">${here}</a>.</p>`
}
