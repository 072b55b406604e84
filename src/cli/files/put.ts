import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'

import type { ResponseOf, Client } from '../../client/types.ts'
import { humanSize } from '../../domain/catalog/human-size.ts'
import { mapConcurrently } from '../../lib/async/map-concurrently.ts'
import { type Terminal, terminalProgress, UsageError } from '../support/command.ts'
import { cleanPath } from './remote-files.ts'
import {
  commonExitCodes,
  commonUsage,
  serviceCommand,
  type Session,
} from '../support/service-command.ts'
import { printable } from '../support/table.ts'
import { byName, sha256OfFile } from './upload.ts'

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
is sent along, so what arrives damaged is refused. sedge sync stores whole directories.

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

async function putAll(wanted: Wanted, { client, terminal, print }: Session): Promise<void> {
  for (const { source } of wanted.files) if (source !== '-') await requireFile(source)
  const { files } = wanted
  const progress = terminalProgress(
    { label: 'storing', total: files.length > 1 ? files.length : 0, unit: 'files' },
    terminal,
  )
  const responses = await mapConcurrently(files, uploadsAtOnce, async ({ source, path }) => {
    const stored = await put(source, path, { client, wanted, terminal })
    progress.advance(1)
    return stored
  })
  progress.finish()
  print(responses, () => responses.map(lineOf).join(''))
}

async function requireFile(source: string): Promise<void> {
  const facts = await stat(source).catch(() => undefined)
  if (facts === undefined) throw new UsageError(`There is no file ${source}`)
  if (facts.isDirectory())
    throw new UsageError(`${source} is a directory: sedge sync ${source} <path> stores it`)
}

interface Putting {
  readonly client: Client
  readonly wanted: Wanted
  readonly terminal: Terminal
}

async function put(source: string, path: string, { client, wanted, terminal }: Putting) {
  const isInput = source === '-'
  const headers = {
    // The checksum of what is still to come is not known.
    ...(isInput ? {} : { Checksum: await sha256OfFile(source) }),
    'Content-Type': wanted.contentType ?? byName,
    ...(wanted.isNew && { 'If-None-Match': '*' }),
  }
  const body = isInput ? inputOf(terminal) : Bun.file(source)
  return await client.putFile({ path, body, headers })
}

const inputOf = ({ input }: Terminal): ReadableStream<Uint8Array> =>
  input === undefined
    ? new Blob([]).stream()
    : (Readable.toWeb(input) as unknown as ReadableStream<Uint8Array>)

const lineOf = ({ Path: path, Length: size, EdgeNote: note }: ResponseOf<'putFile'>): string =>
  `${printable(path.replace(/^clients\//u, ''))}  ${humanSize(size)}  ${note}\n`
