import { dirname } from 'node:path'
import { parseArgs } from 'node:util'

import { createProgress } from '../lib/progress.ts'
import { type Command, exitCodes, type Terminal, UsageError } from './command.ts'
import { batchesOf, filesBelow, type LocalFile } from './import-plan.ts'
import { createServiceClient, type ServiceClient, sha256 } from './service-client.ts'

const usage = `sedge import <directory> --zone <name> [--category <name>] [--url <address>]

Stores every file below a directory in a zone of a running service. Files that are
stored already with the same SHA-256 are passed over, so an import that was
interrupted goes on where it stopped. At the end the service's checksums are
compared with the files.

  --zone <name>       the zone; it is made where it does not exist and ACCOUNT_KEY is known
  --category <name>   put the files below <zone>/v1/<name>/; without it the directory's
                      own folders are the categories
  --url <address>     where the service is (default http://127.0.0.1:8788)

The keys are taken from ACCESS_KEY and ACCOUNT_KEY, or from the data directory of a
service on this machine (DATA_DIR, default ./data).

Exit codes: 0 all stored and verified, 1 something was not, 2 wrong use.`

interface ImportOptions {
  readonly directory: string
  readonly zone: string
  readonly category: string | undefined
  readonly url: string
}

interface Keys {
  readonly accessKey: string
  readonly accountKey: string | undefined
}

interface Dependencies {
  readonly findKeys: (environment: Terminal['environment']) => Promise<Keys>
}

export const importCommand = ({ findKeys }: Dependencies): Command => ({
  name: 'import',
  summary: 'store a directory of files in a zone',
  usage,
  async run(args, terminal) {
    const options = parse(args)
    const client = createServiceClient({
      url: options.url,
      ...(await findKeys(terminal.environment)),
    })
    const files = await filesBelow(options.directory, options)
    if (files.length === 0) throw new UsageError(`There are no files below ${options.directory}`)
    if ((await client.listFiles(options.zone)) === undefined) await client.createZone(options.zone)
    await send(await missing(files, client, terminal), client, terminal)
    const different = await missing(files, client, terminal)
    if (different.length > 0) {
      for (const { path } of different) terminal.error.write(`not stored as it is here: ${path}\n`)
      return exitCodes.failed
    }
    terminal.out.write(`${files.length} files in zone "${options.zone}", all checksums agree\n`)
    return exitCodes.ok
  },
})

function parse(args: readonly string[]): ImportOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      zone: { type: 'string' },
      category: { type: 'string' },
      url: { type: 'string', default: 'http://127.0.0.1:8788' },
    },
  })
  const [directory, ...rest] = positionals
  if (directory === undefined || rest.length > 0) throw new UsageError('Name one directory')
  if (values.zone === undefined) throw new UsageError('Name the zone: --zone <name>')
  return { directory, zone: values.zone, category: values.category, url: values.url }
}

/** The files the service does not have with these bytes, asked one directory at a time. */
async function missing(
  files: readonly LocalFile[],
  client: ServiceClient,
  { error }: Terminal,
): Promise<readonly LocalFile[]> {
  const byDirectory = Map.groupBy(files, ({ path }) => dirname(path))
  const progress = createProgress({
    label: 'comparing',
    total: files.length,
    unit: 'files',
    output: error,
    monotonicMs: () => performance.now(),
  })
  const wanted: LocalFile[] = []
  for (const [directory, members] of byDirectory) {
    const remote = (await client.listFiles(directory)) ?? []
    const checksums = new Map(remote.map((file) => [`${directory}/${file.name}`, file.sha256]))
    for (const file of members) {
      const stored = checksums.get(file.path.normalize('NFC'))
      if (stored === undefined || stored !== sha256(await Bun.file(file.source).bytes()))
        wanted.push(file)
      progress.advance(1)
    }
  }
  progress.finish()
  return wanted
}

async function send(
  files: readonly LocalFile[],
  client: ServiceClient,
  { error }: Terminal,
): Promise<void> {
  if (files.length === 0) return
  const progress = createProgress({
    label: 'storing',
    total: files.length,
    unit: 'files',
    output: error,
    monotonicMs: () => performance.now(),
  })
  for (const batch of batchesOf(files)) {
    const loaded = await Promise.all(
      batch.map(async ({ path, source }) => ({ path, bytes: await Bun.file(source).bytes() })),
    )
    const [only] = loaded
    if (loaded.length === 1 && only) await client.putFile(only.path, only.bytes)
    else await client.putFiles(loaded)
    progress.advance(batch.length)
  }
  progress.finish()
}
