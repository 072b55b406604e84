import { snappedDensity, snappedWidth } from '../../lib/width-ladder.ts'

const slowConnections: ReadonlySet<string> = new Set(['slow-2g', '2g', '3g'])

/** What a client says of where an image will be seen (Responsive Image Client Hints, W3C). What is not well-formed counts as not said. */
export function clientHintsOf({ headers }: Request) {
  return {
    width: positive(headers.get('sec-ch-width'), 20_000),
    viewportWidth: positive(headers.get('sec-ch-viewport-width'), 20_000),
    density: positive(headers.get('sec-ch-dpr'), 16),
    isSlow: savesData(headers) || slowConnections.has(headers.get('ect')?.trim() ?? ''),
  }
}

/** `Save-Data: on` (draft-ietf-httpapi Save-Data; a client hint). */
export const savesData = (headers: Headers): boolean =>
  headers.get('save-data')?.trim().toLowerCase() === 'on'

function positive(text: string | null, most: number): number | undefined {
  const number = text !== null && /^\d{1,5}(?:\.\d{1,6})?$/u.test(text) ? Number(text) : 0
  return number > 0 && number <= most ? number : undefined
}

const hintNames = [
  'sec-ch-width',
  'sec-ch-viewport-width',
  'sec-ch-dpr',
  'ect',
  'save-data',
] as const

/**
 * A request without a body, as if its client spoke in the steps that responses are made in: so whatever clients say, few
 * responses are kept of one URL, and each is the one that they would have got. Most requests say nothing
 * and stay what they are.
 */
export function withHintSteps(request: Request): Request {
  if (!hintNames.some((name) => request.headers.has(name))) return request
  const headers = new Headers(request.headers)
  const steps = hintStepsOf(request)
  for (const name of hintNames) {
    const value = steps[name]
    if (value === undefined) headers.delete(name)
    else headers.set(name, value)
  }
  const { url, method, signal } = request
  return new Request(url, { method, headers, signal })
}

type HintSteps = Partial<Record<(typeof hintNames)[number], string | undefined>>

/** What is not well-formed, and what only the width of the image depended on, is not said. */
function hintStepsOf(request: Request): HintSteps {
  const { width, viewportWidth, density, isSlow } = clientHintsOf(request)
  const saves = savesData(request.headers)
  const wanted = width ?? (viewportWidth === undefined ? undefined : viewportWidth * (density ?? 1))
  return {
    'sec-ch-width': wanted === undefined ? undefined : String(snappedWidth(wanted)),
    'sec-ch-dpr': density === undefined ? undefined : String(snappedDensity(density)),
    ect: isSlow && !saves ? '2g' : undefined,
    'save-data': saves ? 'on' : undefined,
  }
}
