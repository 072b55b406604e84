import { humanSize } from '../../domain/catalog/human-size.ts'
import { CommandError, exitCodes, UsageError } from '../support/command.ts'
import { cleanPath, filesOf } from './remote-files.ts'
import {
  commonExitCodes,
  commonUsage,
  serviceCommand,
  type Session,
} from '../support/service-command.ts'
import { table } from '../support/table.ts'

export const lsCommand = serviceCommand({
  name: 'ls',
  aliases: ['list'],
  summary: 'list what is stored',
  usage: `sedge ls [<path>] [--recursive]

Lists a directory of storage, e.g. acme/v1/icons; without a path, the zones.

  --recursive, -r      every file below it
${commonUsage}

${commonExitCodes}`,
  options: { recursive: { type: 'boolean', short: 'r', default: false } },
  plan({ values, positionals: [path = '', ...rest] }) {
    if (rest.length > 0) throw new UsageError('Name one path')
    const directory = cleanPath(path)
    return values.recursive
      ? (session) => listAll(directory, session)
      : (session) => listOne(directory, session)
  },
})

async function listOne(directory: string, { client, print }: Session): Promise<void> {
  const entries = await client.listDirectory(directory)
  if (entries.length === 0) await requireThere(directory, client)
  print(entries, () =>
    entries.length === 0
      ? ''
      : table(
          ['NAME', 'SIZE', 'TYPE', 'CHANGED'],
          entries.map((each) => [
            each.IsDirectory ? `${each.ObjectName}/` : each.ObjectName,
            each.IsDirectory ? '' : humanSize(each.Length),
            each.ContentType,
            timeOf(each.LastChanged),
          ]),
        ),
  )
}

async function listAll(directory: string, { client, print }: Session): Promise<void> {
  const files = await filesOf(client, directory)
  if (files.length === 0) await requireThere(directory, client)
  print(files, () =>
    files.length === 0
      ? ''
      : table(
          ['PATH', 'SIZE', 'TYPE', 'CHANGED'],
          files.map((each) => [
            each.path,
            humanSize(each.sizeBytes),
            each.contentType,
            timeOf(each.changedAt),
          ]),
        ),
  )
}

/** An empty listing is also what a directory that does not exist has, and a file is none. */
async function requireThere(directory: string, client: Session['client']): Promise<void> {
  const [zone = ''] = directory.split('/')
  if (zone === '') return
  const zones = await client.listDirectory('')
  if (!zones.some(({ ObjectName: name }) => name === zone))
    throw new CommandError(
      `There is no zone "${zone}"; sedge zones create ${zone} makes it`,
      exitCodes.notFound,
    )
  const path = directory.replace(/(?<!\/)\/+$/u, '')
  const file = await client.getFile({ path }).catch(() => undefined)
  await file?.body?.cancel()
  if (file?.headers.get('checksum') !== null && file !== undefined)
    throw new CommandError(`${path} is a file: sedge get ${path}`)
}

const timeOf = (text: string): string => text.slice(0, 16).replace('T', ' ')
