import { createHash } from 'node:crypto'

import type { ServiceError } from '../../domain/errors.ts'
import { matchMediaType } from '../request/accept.ts'
import { errorTable } from './error-table.ts'

/** No browser says more; what is longer is not looked at. */
const maxAcceptLength = 1024

/**
 * Whether somebody reads the answer in a browser: it asks for pages by name, and for them at least as much.
 * Of what changes something only forms do, whose answer the browser shows in place of the page.
 */
export function wantsPage({ method, headers }: Request): boolean {
  const accept = headers.get('accept')
  const isRead = method === 'GET' || method === 'HEAD'
  if (!isRead && headers.get('sec-fetch-mode') !== 'navigate') return false
  if (accept === null || accept.length > maxAcceptLength) return false
  const { quality, by } = matchMediaType(accept, 'text/html')
  return (
    by === 'name' && quality > 0 && quality >= matchMediaType(accept, 'application/json').quality
  )
}

interface PageContext {
  readonly url: string
  readonly requestId: string
  /** Whether the dashboard and the documentation are on this host. */
  readonly isOwnHost: boolean
}

/** The JSON of a refusal as a page: the same status and fields, and for whoever reads it a way on. */
export function asPage(refusal: Response, error: ServiceError, context: PageContext): Response {
  const html = pageOf(error, context)
  const headers = new Headers(refusal.headers)
  headers.set('Content-Type', 'text/html; charset=utf-8')
  headers.set('Content-Length', String(Buffer.byteLength(html)))
  headers.set('Content-Security-Policy', policy())
  headers.set('Referrer-Policy', 'same-origin')
  headers.append('Vary', 'Accept')
  return new Response(html, { status: refusal.status, headers })
}

/** Nothing is loaded, and nothing runs. */
const policy = (): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

function pageOf(error: ServiceError, { url, requestId, isOwnHost }: PageContext): string {
  const { status } = errorTable[error.code]
  const title = titleOf(status)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<p class="code">${status}</p>
<h1>${title}</h1>
<p>${escaped(sentence(error.message))}</p>
${mayPass(status) ? '<p><a href="">Try again</a></p>' : ''}
${isOwnHost ? waysOn(url) : ''}
<p class="fine">Request ${escaped(requestId)}</p>
</main>
</body>
</html>
`
}

function titleOf(status: number): string {
  if (status === 404 || status === 410) return 'Not found'
  if (status === 403 || status === 401) return 'This is not open to you'
  if (status === 413 || status === 414) return 'This is too large'
  if (status === 429) return 'Too many requests'
  return status >= 500 ? 'This cannot be shown just now' : 'This cannot be shown'
}

/** Whether the same may work a little later. An empty reference is the URL that was asked for. */
const mayPass = (status: number): boolean => status === 429 || status >= 500

const searchOf = (url: string) =>
  /^\/(?:api\/)?docs(?:\/|$)/u.test(URL.parse(url)?.pathname ?? '')
    ? { action: '/docs/', label: 'Search the documentation' }
    : { action: '/dashboard/assets', label: 'Search assets' }

function waysOn(url: string): string {
  const { action, label } = searchOf(url)
  return `<form action="${action}" role="search">
<label for="q">${label}</label>
<div><input id="q" name="q" type="search" maxlength="200" value="${escaped(nameOf(url))}"><button>Search</button></div>
</form>
<nav aria-label="Where to go"><a href="/">Start page</a> <a href="/docs/">Documentation</a> <a href="/dashboard/">Dashboard</a></nav>`
}

const maxNameLength = 200

/** What was looked for, in words: the last part of the path without its format. */
function nameOf(url: string): string {
  const last =
    URL.parse(url)
      ?.pathname.split('/')
      .findLast((part) => part !== '') ?? ''
  try {
    return decodeURIComponent(last.slice(0, maxNameLength)).replace(/\.[^.]{1,8}$/u, '')
  } catch {
    return ''
  }
}

const sentence = (message: string): string => {
  const text = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.!?]$/u.test(text) ? text : `${text}.`
}

const escaped = (text: string): string => Bun.escapeHTML(text)

const style = `
:root { color-scheme: light dark; --ground: #f6f7f2; --text: #1b231e; --muted: #4b5750; --line: #c4cec5; --accent: #176640; --on: #fff }
@media (prefers-color-scheme: dark) { :root { --ground: #111512; --text: #e3e9e4; --muted: #a3b0a8; --line: #3a463e; --accent: #7fd3a6; --on: #10201a } }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif }
main { width: min(34rem, calc(100vw - 2rem)); padding: 2rem 0; overflow-wrap: anywhere }
h1 { margin: 0 0 .5rem; font-size: 1.75rem; line-height: 1.2 }
.code { margin: 0; color: var(--muted); font-weight: 600 }
.fine { color: var(--muted); font-size: .8125rem }
form { margin: 1.5rem 0 1rem }
label { font-size: .875rem; font-weight: 600 }
form div { display: flex; gap: .5rem; margin-top: .25rem }
input { flex: 1; min-width: 0; padding: .5rem .625rem; font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: 6px }
button { padding: .5rem 1rem; font: inherit; font-weight: 600; color: var(--on); background: var(--accent); border: 0; border-radius: 6px; cursor: pointer }
nav { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem }
a { color: var(--accent) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
`
