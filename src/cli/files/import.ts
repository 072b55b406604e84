import { stat } from 'node:fs/promises'

import { createClient, SedgeError } from '../../client/client.ts'
import type { Client } from '../../client/types.ts'
import { createProgress } from '../../lib/progress.ts'
import {
  type Command,
  CommandError,
  exitCodes,
  type Terminal,
  UsageError,
} from '../support/command.ts'
import { type Connection, connectionOf } from '../support/connection.ts'
import { filesBelow, type LocalFile } from './upload/import-plan.ts'
import { createLargeFiles } from './upload/large-files.ts'
import { parseWords } from '../support/parse-words.ts'
import { filesOf } from './remote-files.ts'
import { refusalText } from '../support/say-error.ts'
import { commonUsage } from '../support/service-command.ts'
import { planSync } from './sync-plan.ts'
import { sha256OfFile, upload } from './upload/upload.ts'

const usage = `sedge import <local directory> --zone <name> [--category <name>]

Stores every file below a directory in a zone of a running service. Files that are
stored already with the same SHA-256 are passed over, so an import that was
interrupted goes on where it stopped. At the end the service's checksums are
compared with the files.

  --zone <name>        the zone; it is made where it does not exist and you may make it
  --category <name>    put the files below <zone>/v1/<name>/; without it the directory's
                       own folders are the categories
${commonUsage.replace(/\n[^\n]*--json[^\n]*/u, '')}

Without a profile the keys are taken from ACCESS_KEY and ACCOUNT_KEY, or from the data
directory of a service on this machine (DATA_DIR, default ./data).

Exit codes: 0 all stored and verified, 1 something was not, 2 wrong use, 3 not permitted,
5 no service answers.`

export const importCommand: Command = {
  name: 'import',
  summary: 'store a directory of files in a zone',
  usage,
  async run(args, terminal) {
    const { directory, zone, target, url, profile } = parse(args)
    const connection = await connectionOf({ url, profile }, terminal.environment)
    const client = createClient(connection)
    const facts = await stat(directory).catch(() => undefined)
    if (facts?.isDirectory() !== true) throw new UsageError(`${directory} is not a directory`)
    const files = await filesBelow(directory, target)
    if (files.length === 0) throw new UsageError(`There are no files below ${directory}`)
    await ensureZone(zone, client, connection)
    const work = { client, connection, terminal }
    await send(await missing(files, target, work), work)
    const different = await missing(files, target, work)
    if (different.length > 0) {
      for (const { path } of different) terminal.error.write(`not stored as it is here: ${path}\n`)
      return exitCodes.failed
    }
    terminal.out.write(`${files.length} files in zone "${zone}", all checksums agree\n`)
    return exitCodes.ok
  },
}

function parse(args: readonly string[]) {
  const { values, positionals } = parseWords(args, {
    zone: { type: 'string' },
    category: { type: 'string' },
    url: { type: 'string' },
    profile: { type: 'string' },
  })
  const [directory, ...rest] = positionals
  if (directory === undefined || rest.length > 0) throw new UsageError('Name one directory')
  const { zone, category, url, profile } = values
  if (zone === undefined) throw new UsageError('Name the zone: --zone <name>')
  const target = category === undefined ? `${zone}/v1` : `${zone}/v1/${category}`
  return { directory, zone, target, url, profile }
}

async function ensureZone(name: string, client: Client, connection: Connection): Promise<void> {
  const zones = await client.listDirectory('')
  if (zones.some(({ ObjectName: known }) => known === name)) return
  if (connection.accountKey === undefined && connection.token === undefined)
    throw new CommandError(`Zone "${name}" does not exist; making it needs ACCOUNT_KEY`)
  await client.createZone({ body: { Name: name } }).catch((error: unknown) => {
    // Another import may have made it just now.
    if (!(error instanceof SedgeError && error.code === 'ZoneExists')) throw error
  })
}

interface Work {
  readonly client: Client
  readonly connection: Connection
  readonly terminal: Terminal
}

/** The files the service does not have with these bytes. */
async function missing(
  files: readonly LocalFile[],
  target: string,
  { client, terminal }: Work,
): Promise<readonly LocalFile[]> {
  const progress = progressOf('comparing', files.length, terminal)
  const { created, changed } = await planSync({
    local: files,
    remote: await filesOf(client, target),
    sha256Of: sha256OfFile,
  })
  progress.advance(files.length)
  progress.finish()
  return [...created, ...changed]
}

async function send(files: readonly LocalFile[], work: Work): Promise<void> {
  if (files.length === 0) return
  const { client, terminal } = work
  const progress = progressOf('storing', files.length, terminal)
  const onFile = () => progress.advance(1)
  const refused = await upload(files, client, {
    jobs: importJobs,
    large: createLargeFiles(work),
    onFile,
  })
  progress.finish()
  for (const { path, error } of refused) terminal.error.write(`${path}: ${refusalText(error)}\n`)
}

const importJobs = 4

const progressOf = (label: string, total: number, { error }: Terminal) =>
  createProgress({
    label,
    total,
    unit: 'files',
    output: error,
    monotonicMs: () => performance.now(),
  })
