/** What is to be said of a push in the end: of the pack, and of each ref (gitprotocol-pack, "Report Status"). */
export interface PushReport {
  /** Why nothing could be made of the pack; `undefined` where it was taken in, or not looked at. */
  readonly unpackFault?: string | undefined
  readonly refs: readonly RefReport[]
}

interface RefReport {
  readonly ref: string
  readonly fault: string | undefined
  /** Where it has gone, if elsewhere. */
  readonly landedRef?: string
}

/** Longest text of a packet of ours: side bands have one byte more. */
const largestText = 65_515
const bands = { report: 1, progress: 2 } as const
const flush = Buffer.from('0000')

const packet = (text: Uint8Array): Buffer => {
  const length = (text.length + 4).toString(16).padStart(4, '0')
  return Buffer.concat([Buffer.from(length), text])
}

const textPacket = (text: string): Buffer => packet(Buffer.from(text))

const inBand = (band: number, bytes: Uint8Array): Buffer =>
  packet(Buffer.concat([Buffer.of(band), bytes]))

/** Names of refs and reasons are one line each, whatever they come from. */
const oneLine = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f]+/gu, ' ').trimEnd()

function reportBytes({ unpackFault, refs }: PushReport, hasOptions: boolean): Buffer {
  const lines = [
    unpackFault === undefined ? 'unpack ok\n' : `unpack ${oneLine(unpackFault)}\n`,
    ...refs.flatMap(({ ref, fault, landedRef }) => {
      if (fault !== undefined) return [`ng ${ref} ${oneLine(fault)}\n`]
      const isElsewhere = hasOptions && landedRef !== undefined
      return [`ok ${ref}\n`, ...(isElsewhere ? [`option refname ${landedRef}\n`] : [])]
    }),
  ]
  return Buffer.concat([...lines.map(textPacket), flush])
}

/** How a client is told: in bands where it asked for them, and else only of the end. */
export interface ReportWriter {
  /** A line for people; nothing where the client has no band for it. */
  progress(line: string): Uint8Array
  /** Keeps a connection alive on which there is nothing to say. */
  readonly nothing: Uint8Array
  end(report: PushReport): Uint8Array
}

const silent = new Uint8Array()

export function reportWriter(capabilities: ReadonlySet<string>): ReportWriter {
  const isBanded = capabilities.has('side-band-64k')
  const hasOptions = capabilities.has('report-status-v2')
  const isWanted = hasOptions || capabilities.has('report-status')
  if (!isBanded)
    return {
      progress: () => silent,
      nothing: silent,
      end: (report) => (isWanted ? reportBytes(report, hasOptions) : silent),
    }
  return {
    progress: (line) =>
      inBand(bands.progress, Buffer.from(`${oneLine(line)}\n`).subarray(0, largestText)),
    nothing: inBand(bands.progress, silent),
    end(report) {
      const bytes = isWanted ? reportBytes(report, hasOptions) : silent
      const pieces: Buffer[] = []
      for (let start = 0; start < bytes.length; start += largestText)
        pieces.push(inBand(bands.report, bytes.subarray(start, start + largestText)))
      return Buffer.concat([...pieces, flush])
    },
  }
}

/** What a client may ask for. */
const capabilities = [
  'report-status',
  'report-status-v2',
  'side-band-64k',
  'quiet',
  'atomic',
  'ofs-delta',
  'push-options',
  'object-format=sha1',
]

interface AdvertisedPush {
  readonly version: string
  readonly isVersionOne: boolean
  /** Whether a pack has to have all that its objects are made from. */
  readonly isClosed: boolean
}

/** The body of `GET info/refs` for those who push: what the branch is, and what may be asked for. */
export function pushAdvertisement(
  refs: readonly { readonly ref: string; readonly id: string }[],
  { version, isVersionOne, isClosed }: AdvertisedPush,
): Buffer<ArrayBuffer> {
  const thin = isClosed ? ['no-thin'] : []
  const said = [...capabilities, ...thin, `agent=sedge/${version}`].join(' ')
  const listed = refs.length > 0 ? refs : [{ ref: 'capabilities^{}', id: '0'.repeat(40) }]
  const lines = listed.map(({ ref, id }, index) =>
    textPacket(index === 0 ? `${id} ${ref}\0${said}\n` : `${id} ${ref}\n`),
  )
  return Buffer.concat([
    textPacket('# service=git-receive-pack\n'),
    flush,
    ...(isVersionOne ? [textPacket('version 1\n')] : []),
    ...lines,
    flush,
  ])
}
