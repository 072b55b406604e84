import { createHash } from 'node:crypto'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import type { Client } from '../../client/types.ts'
import { mapConcurrently } from '../../lib/async/map-concurrently.ts'
import { CommandError, exitCodes, terminalProgress, UsageError } from '../support/command.ts'
import { cleanPath, filesOf } from './remote-files.ts'
import {
  commonExitCodes,
  commonUsage,
  serviceCommand,
  type Session,
} from '../support/service-command.ts'

const downloadsAtOnce = 4

export const getCommand = serviceCommand({
  name: 'get',
  summary: 'download files',
  usage: `sedge get <path> [<file>]
sedge get <directory>/ [<local directory>]

Downloads a file, or every file below a directory (its path ends in /), to the current
directory or to where you say; - is standard output. What arrives is compared with the
checksum, and takes the place of what was there only when it is whole.

${commonUsage}

${commonExitCodes}`,
  options: {},
  plan({ positionals: [text, target, ...rest] }) {
    if (text === undefined || rest.length > 0) throw new UsageError('Name what to download')
    const path = cleanPath(text)
    if (path.endsWith('/')) return (session) => getBelow(path, target ?? '.', session)
    if (!path.includes('/'))
      throw new UsageError(`${path} is a zone: sedge get ${path}/ downloads all of it`)
    return (session) =>
      target === '-' ? toStandardOutput(path, session) : getOne(path, target, session)
  },
})

async function toStandardOutput(path: string, { client, terminal }: Session): Promise<void> {
  const { body } = await client.getFile({ path })
  // Waits for whoever reads, so that nothing piles up here.
  if (body !== null) await pipeline(body, terminal.out, { end: false })
}

async function getOne(path: string, target: string | undefined, session: Session): Promise<void> {
  const isDirectory =
    target !== undefined &&
    (target.endsWith('/') || (await stat(target).catch(() => undefined))?.isDirectory() === true)
  const file =
    target === undefined ? basename(path) : isDirectory ? join(target, basename(path)) : target
  const sizeBytes = await download(path, file, session.client)
  session.print({ path, file, sizeBytes }, () => `${file}\n`)
}

async function getBelow(directory: string, target: string, session: Session): Promise<number> {
  const { client, terminal } = session
  const files = await filesOf(client, directory)
  if (files.length === 0)
    throw new CommandError(`There are no files below ${directory}`, exitCodes.notFound)
  const progress = terminalProgress(
    { label: 'downloading', total: files.length, unit: 'files' },
    terminal,
  )
  await mapConcurrently(files, downloadsAtOnce, async ({ path }) => {
    await download(path, join(target, cleanPath(path.slice(directory.length))), client)
    progress.advance(1)
  })
  progress.finish()
  session.print(files, () => `${files.length} files in ${target}\n`)
  return exitCodes.ok
}

/** Answers the size in bytes. */
async function download(path: string, file: string, client: Client): Promise<number> {
  const { body, headers } = await client.getFile({ path })
  const expected = headers.get('checksum')
  if (expected === null) {
    await body?.cancel()
    throw new UsageError(`${path} is a directory: sedge get ${path}/ downloads all below it`)
  }
  await mkdir(dirname(file), { recursive: true })
  const partial = `${file}.${process.pid}.part`
  try {
    const { sha256, sizeBytes } = await write(body, partial)
    if (sha256 !== expected) throw new CommandError(`${path} arrived damaged; try again`)
    await rename(partial, file)
    return sizeBytes
  } finally {
    await rm(partial, { force: true })
  }
}

async function write(body: ReadableStream<Uint8Array> | null, file: string) {
  const hash = createHash('sha256')
  let sizeBytes = 0
  await using handle = await open(file, 'w')
  for await (const chunk of body ?? []) {
    hash.update(chunk)
    sizeBytes += chunk.length
    await handle.write(chunk)
  }
  return { sha256: hash.digest('hex'), sizeBytes }
}
