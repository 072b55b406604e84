import { refusalOf } from '../../../../src/client/refusal.ts'
import { sessionGate } from '../../api/session-gate.ts'
import { t } from '../../language/text.ts'
import { humanBytes } from '../../parts/format.ts'
import { ConnectionLost, UploadCancelled, UploadHeld, UploadRefused } from './upload-world.ts'

export interface Request {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Blob
  readonly onProgress: (sentBytes: number) => void
  readonly signal: AbortSignal
}

/** A connection that takes nothing for so long is gone, though nobody has said so. */
const stalledMs = 45_000

/** Where the session has ended, whoever sits here is asked to sign in, and it is sent again. */
export async function respondInSession(request: Request): Promise<Response> {
  const response = await send(request)
  if (response.status !== 401) return response
  await signInAgain()
  return await send(request)
}

/** Resolves once somebody has signed in; throws `UploadHeld` where they would rather not. */
export async function signInAgain(): Promise<void> {
  try {
    await sessionGate.signInAgain()
  } catch {
    throw new UploadHeld(t('You are signed out. Go on to sign in.'))
  }
}

/** Answers what the service said. */
export async function sendInSession(request: Request): Promise<string> {
  const response = await respondInSession(request)
  if (response.ok) return await response.text()
  // What passes by itself is no reason to give up.
  if (response.status === 503) throw new ConnectionLost()
  const { message, details } = await refusalOf(response, Date.now)
  const [detail] = details
  throw new UploadRefused(response.status, withSizes(detail?.message ?? message))
}

/** Nobody reads millions of bytes. */
export const withSizes = (text: string): string =>
  text.replace(/\b(\d{5,12}) bytes\b/u, (_, bytes: string) => humanBytes(Number(bytes)))

/** `fetch` does not tell how far it has come. */
function send({ method, url, headers, body, onProgress, signal }: Request): Promise<Response> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new UploadCancelled())
    const request = new XMLHttpRequest()
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    const watch = createWatch(() => {
      reject(new ConnectionLost())
      request.abort()
    })
    request.upload.addEventListener('progress', ({ loaded }) => {
      watch.seen()
      onProgress(loaded)
    })
    // What the service does with it may take longer.
    request.upload.addEventListener('loadend', watch.end)
    request.addEventListener('loadend', watch.end)
    request.addEventListener('load', () => resolve(responseOf(request)))
    request.addEventListener('error', () => reject(new ConnectionLost()))
    request.addEventListener('abort', () => reject(new UploadCancelled()))
    signal.addEventListener('abort', () => request.abort())
    request.send(body)
  })
}

/** Calls once nothing was seen for too long. */
function createWatch(onStalled: () => void) {
  let timer = setTimeout(onStalled, stalledMs)
  return {
    seen() {
      clearTimeout(timer)
      timer = setTimeout(onStalled, stalledMs)
    },
    end: () => clearTimeout(timer),
  }
}

function responseOf(request: XMLHttpRequest): Response {
  const { status, responseText } = request
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  const isBare = status === 204 || status === 304
  return new Response(isBare ? null : responseText, { status, headers })
}
