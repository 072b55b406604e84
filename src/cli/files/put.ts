import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'

import type { ResponseOf, Client } from '../../client/types.ts'
import { humanSize } from '../../domain/catalog/human-size.ts'
import { mapConcurrently } from '../../lib/async/map-concurrently.ts'
import { type Terminal, UsageError } from '../support/command.ts'
import {
  type ByteCount,
  createLargeFiles,
  largeFromBytes,
  type LargeFiles,
} from './upload/large-files.ts'
import { cleanPath } from './remote-files.ts'
import {
  commonExitCodes,
  commonUsage,
  serviceCommand,
  type Session,
} from '../support/service-command.ts'
import { printable } from '../support/table.ts'
import { transferProgress } from './upload/transfer-progress.ts'
import { byName, sha256OfFile } from './upload/upload.ts'

const uploadsAtOnce = 4

interface Wanted {
  readonly files: readonly { readonly source: string; readonly path: string }[]
  readonly contentType: string | undefined
  readonly isNew: boolean
}

export const putCommand = serviceCommand({
  name: 'put',
  aliases: ['upload'],
  summary: 'store files',
  usage: `sedge put <file> … <path>

Stores files: sedge put logo.svg acme/v1/logos/ keeps the name, a path without the last
slash renames. Several files need a directory. - stands for standard input. The checksum
is sent along, so what arrives damaged is refused. A large file goes up in pieces: after a
lost connection it goes on by itself, and the same command goes on with one that was broken
off. sedge sync stores whole directories.

  --type <type>        the content type (default: by the name)
  --new                only where nothing is stored there yet
${commonUsage}

${commonExitCodes}`,
  options: { type: { type: 'string' }, new: { type: 'boolean', default: false } },
  plan({ values, positionals }) {
    const target = positionals.at(-1)
    const sources = positionals.slice(0, -1)
    if (target === undefined || sources.length === 0)
      throw new UsageError('Name the files and where they go')
    const files = placesOf(sources, cleanPath(target))
    const wanted = { files, contentType: values.type, isNew: values.new }
    return (session) => putAll(wanted, session)
  },
})

function placesOf(sources: readonly string[], target: string): Wanted['files'] {
  const isDirectory = target.endsWith('/')
  if (sources.length > 1 && !isDirectory)
    throw new UsageError(`Several files need a directory: ${target}/`)
  if (isDirectory && sources.includes('-'))
    throw new UsageError('Standard input has no name: say the whole path')
  return sources.map((source) => ({
    source,
    path: isDirectory ? `${target}${basename(source).normalize('NFC')}` : target,
  }))
}

async function putAll(wanted: Wanted, session: Session): Promise<void> {
  const { client, terminal, print } = session
  const files: SizedSource[] = []
  for (const { source, path } of wanted.files)
    files.push({ source, path, sizeBytes: source === '-' ? 0 : await sizeOfFile(source) })
  const progress = transferProgress(files.length > 1 || files.some(isLarge) ? files : [], terminal)
  const putting = { client, wanted, terminal, large: createLargeFiles(session), progress }
  const responses = await mapConcurrently(files, uploadsAtOnce, async (file) => {
    const stored = await put(file, putting)
    progress.onFile(file)
    return stored
  })
  progress.finish()
  print(responses, () => responses.map(lineOf).join(''))
}

interface SizedSource {
  readonly source: string
  readonly path: string
  readonly sizeBytes: number
}

const isLarge = ({ sizeBytes }: SizedSource): boolean => sizeBytes >= largeFromBytes

async function sizeOfFile(source: string): Promise<number> {
  const facts = await stat(source).catch(() => undefined)
  if (facts === undefined) throw new UsageError(`There is no file ${source}`)
  if (facts.isDirectory())
    throw new UsageError(`${source} is a directory: sedge sync ${source} <path> stores it`)
  return facts.size
}

interface Putting {
  readonly client: Client
  readonly wanted: Wanted
  readonly terminal: Terminal
  readonly large: LargeFiles
  readonly progress: ByteCount
}

async function put(file: SizedSource, { client, wanted, terminal, large, progress }: Putting) {
  const { source, path } = file
  const headers = {
    'Content-Type': wanted.contentType ?? byName,
    ...(wanted.isNew && { 'If-None-Match': '*' }),
  }
  // The checksum of what is still to come is not known.
  if (source === '-') return await client.putFile({ path, body: inputOf(terminal), headers })
  const sha256 = await sha256OfFile(source)
  if (isLarge(file)) return await large.store({ source, path, sha256, headers }, progress)
  const body = Bun.file(source)
  return await client.putFile({ path, body, headers: { ...headers, Checksum: sha256 } })
}

const inputOf = ({ input }: Terminal): ReadableStream<Uint8Array> =>
  input === undefined
    ? new Blob([]).stream()
    : (Readable.toWeb(input) as unknown as ReadableStream<Uint8Array>)

const lineOf = ({
  Path: path,
  Length: size,
  EdgeNote: note,
}: Pick<ResponseOf<'putFile'>, 'Path' | 'Length' | 'EdgeNote'>): string =>
  `${printable(path.replace(/^clients\//u, ''))}  ${humanSize(size)}  ${note}\n`
