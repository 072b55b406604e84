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
