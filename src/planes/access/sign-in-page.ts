import type { Passkeys } from '../../domain/access/passkeys/passkeys.ts'
import type { SessionSettings } from '../../http/access/session-cookie.ts'
import { type StaticFile, staticResponse, staticFile } from '../../http/response/static-file.ts'
import { pageHeaders } from './page-headers.ts'
import { ownPage, queryOfPage } from './page/own-page.ts'
import { filledPage, type PageTexts, textsFor } from './page/page-texts.ts'
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
  /** Where passkeys and sessions are shown without the dashboard. */
  passkeys(request: Request): Promise<StaticFile>
  /** Leads the browser on to a page of the dashboard, by itself: its fields come with it. */
  welcome(request: Request, to: string): Promise<StaticFile>
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
    const texts = await textsFor(request, file)
    const site = passkeySiteOf(request, sessionSettings)
    const hasPasskey = site !== undefined && (await isRegistered(passkeys, site.rpId))
    const values: Readonly<Record<string, string>> = {
      message: Bun.escapeHTML(texts.say(message)),
      command: '<code>npx sedge keys show DASHBOARD_PASSWORD</code>',
      to: Bun.escapeHTML(queryOfPage(wantedPage(request))),
      signedOut: signedOutNote(request, texts, providerName),
      passkeys: hasPasskey ? 'registered' : 'none',
      passwordButton: hasPasskey ? 'button' : 'button button-primary',
      provider: providerName === undefined ? '' : providerLink(providerName, request, texts),
      note: site === undefined ? noteAt(request, texts) : '',
    }
    return await made(fileName, texts, values)
  }

  async function made(
    fileName: string,
    texts: PageTexts,
    values: Readonly<Record<string, string>> = {},
  ): Promise<StaticFile> {
    const { bytes, contentType } = await file(fileName)
    return staticFile(filledPage(new TextDecoder().decode(bytes), texts, values), contentType)
  }
  return {
    answer: async (request) => await inItsLanguage(request, await page(request)),
    invite: async (request) =>
      await inItsLanguage(request, await page(request, '', 'invitation.html')),
    passkeys: async (request) => await made('passkeys.html', await textsFor(request, file)),
    welcome: async (request, to) =>
      await made('signed-in.html', await textsFor(request, file), { target: Bun.escapeHTML(to) }),
    async refuse(request, message, status = 401) {
      const { bytes, contentType } = await page(request, message)
      const challenge = { 'WWW-Authenticate': 'Session realm="sedge"' }
      const headers = { ...pageHeaders, ...challenge, 'Content-Type': contentType }
      return new Response(bytes, { status, headers })
    },
  }
}

async function inItsLanguage(request: Request, file: StaticFile): Promise<Response> {
  const response = await staticResponse(request, file, pageHeaders)
  response.headers.append('Vary', 'Accept-Language')
  return response
}

/** The page of the dashboard that somebody wanted to see, to which the sign-in leads back. */
const wantedPage = ({ url }: Request): string => ownPage(new URL(url).searchParams.get('to'))

function providerLink(name: string, request: Request, { say }: PageTexts): string {
  const href = `/dashboard/oidc/start${queryOfPage(wantedPage(request))}`
  const text = Bun.escapeHTML(say('Sign in with {name}', { name }))
  return `<section><a class="button" href="${href}">${text}</a><p class="or">${say('or')}</p></section>`
}

/** Who signed out here may still be signed in at the provider, which is left to them. */
function signedOutNote({ url }: Request, { say }: PageTexts, name: string | undefined): string {
  if (!new URL(url).searchParams.has(signedOutParameter)) return ''
  const link =
    name === undefined
      ? ''
      : ` <a href="/dashboard/oidc/logout">${Bun.escapeHTML(say('Sign out of {name} as well', { name }))}</a>`
  return `<p role="status">${say('You are signed out.')}${link}</p>`
}

export const signedOutParameter = 'out'

/** Whoever cannot be told of passkeys signs in with the password. */
const isRegistered = async (passkeys: Dependencies['passkeys'], rpId: string): Promise<boolean> =>
  await passkeys.hasAny(rpId).catch(() => false)

/** Browsers bind passkeys to host names and refuse them at IP addresses. */
function noteAt({ url }: Request, { say }: PageTexts): string {
  const { protocol, hostname, port } = new URL(url)
  if (!/^(?:127\.\d+\.\d+\.\d+|\[::1\])$/u.test(hostname))
    return `<p class="aside">${say('Passkeys do not work at this address: they need {setting} to be set to one with a host name.', { setting: '<code>BASE_URL</code>' })}</p>`
  const here = `${protocol}//localhost${port === '' ? '' : `:${port}`}/dashboard/login`
  const link = `<a href="${here}">${here}</a>`
  return `<p class="aside">${say('Passkeys do not work at this address. They do at {link}.', { link })}</p>`
}
