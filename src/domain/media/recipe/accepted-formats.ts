/** The media types that a choice is made among. */
export const negotiatedFormats = ['avif', 'webp', 'png', 'jpeg', 'gif', 'svg', 'jxl'] as const
export type NegotiatedFormat = (typeof negotiatedFormats)[number]

/** What a client says of a format: how much it wants it (0 to 1), and whether it named it. */
export interface Acceptance {
  readonly weight: number
  readonly isNamed: boolean
}

export type AcceptedFormats = Readonly<Record<NegotiatedFormat, Acceptance>>

const mediaTypeByFormat: Readonly<Record<NegotiatedFormat, string>> = {
  avif: 'image/avif',
  webp: 'image/webp',
  png: 'image/png',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  svg: 'image/svg+xml',
  jxl: 'image/jxl',
}
const maxRanges = 64

/** Reads an `Accept` field (RFC 9110 §12.5.1): the most specific range that covers a format decides. */
export function parseAccept(accept: string): AcceptedFormats {
  const weightByRange = new Map<string, number>()
  for (const item of accept.split(',', maxRanges)) {
    const [range = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
    if (range !== '') weightByRange.set(range, weightOf(parameters))
  }
  const acceptanceOf = (format: NegotiatedFormat): Acceptance => {
    const named = weightByRange.get(mediaTypeByFormat[format])
    const weight = named ?? weightByRange.get('image/*') ?? weightByRange.get('*/*') ?? 0
    return { weight, isNamed: named !== undefined && named > 0 }
  }
  return {
    avif: acceptanceOf('avif'),
    webp: acceptanceOf('webp'),
    png: acceptanceOf('png'),
    jpeg: acceptanceOf('jpeg'),
    gif: acceptanceOf('gif'),
    svg: acceptanceOf('svg'),
    jxl: acceptanceOf('jxl'),
  }
}

function weightOf(parameters: readonly string[]): number {
  const text = parameters.find((each) => each.startsWith('q='))?.slice(2)
  if (text === undefined) return 1
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/u.test(text) ? Number(text) : 0
}
