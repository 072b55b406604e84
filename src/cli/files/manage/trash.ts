import type { ResponseOf } from '../../../client/types.ts'
import { humanSize } from '../../../domain/catalog/human-size.ts'
import { counted } from '../../../lib/text/visible-text.ts'
import { CommandError, UsageError } from '../../support/command.ts'
import { namedAction } from '../../support/parse-words.ts'
import {
  commonExitCodes,
  commonUsage,
  serviceCommand,
  type Session,
} from '../../support/service-command.ts'
import { printable, table } from '../../support/table.ts'
import { cleanPath } from '../remote-files.ts'

const usage = `sedge trash [list] [--zone <zone>]
sedge trash restore <path> … [--dry-run]

Shows what was deleted in the last 30 days, the newest first, and brings it back with what
was known of it: files, or all that was deleted below a directory, whose path ends in /.
All of it comes back, in one commit, or nothing; a path that has a file again is refused.
sedge rm deletes.

  --zone <zone>        list what was deleted of this zone alone
  --dry-run            say what would come back
${commonUsage}

${commonExitCodes}`

interface Values {
  readonly zone?: string | undefined
  readonly 'dry-run': boolean
}
type Plan = (rest: readonly string[], values: Values) => (session: Session) => Promise<void>

export const trashCommand = serviceCommand({
  name: 'trash',
  summary: 'show what was deleted, and bring it back',
  usage,
  options: { zone: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } },
  plan: ({ values, positionals: [action, ...rest] }) =>
    namedAction(action, plans, 'list')(rest, values),
})

/** The service takes so many at once. */
const maxPaths = 1_000

const plans: Readonly<Record<string, Plan>> = {
  list(rest, { zone, 'dry-run': isDryRun }) {
    if (rest.length > 0) throw new UsageError(`What is "${rest.join(' ')}"?`)
    if (isDryRun) throw new UsageError('--dry-run is for restore: a list changes nothing')
    return (session) => list(session, zone)
  },
  restore(rest, { zone, 'dry-run': isDryRun }) {
    if (rest.length === 0) throw new UsageError('Name what to bring back')
    if (zone !== undefined) throw new UsageError('--zone is for list: paths begin with their zone')
    if (rest.length > maxPaths)
      throw new UsageError(`${rest.length} paths are more than ${maxPaths}; name directories`)
    const paths = rest.map(cleanPath)
    return (session) => restore(paths, isDryRun, session)
  },
}

const itemsAPage = 200

async function list({ client, print }: Session, zone: string | undefined): Promise<void> {
  const deleted: ResponseOf<'listDeletedAssets'>['Data'] = []
  for (let page = 1; ; page += 1) {
    const asked = { page, per_page: itemsAPage, ...(zone !== undefined && { zone }) }
    const { Data, TotalPages } = await client.listDeletedAssets(asked)
    deleted.push(...Data)
    if (page >= TotalPages) break
  }
  print(deleted, () =>
    deleted.length === 0
      ? 'Nothing was deleted in the last 30 days\n'
      : table(
          ['PATH', 'SIZE', 'TYPE', 'DELETED', 'BY'],
          deleted.map((each) => [
            each.Path,
            humanSize(each.Size),
            each.ContentType,
            each.DateDeleted.slice(0, 16).replace('T', ' '),
            each.DeletedBy,
          ]),
        ),
  )
}

async function restore(
  paths: readonly string[],
  isDryRun: boolean,
  { client, print }: Session,
): Promise<void> {
  const done = await client.restoreAsset({ body: { Paths: [...paths], DryRun: isDryRun } })
  if (!('Paths' in done)) throw new CommandError('The service does not bring back many at once')
  const back = done.Paths.map((path) => printable(path.replace(/^clients\//u, '')))
  const verb = isDryRun ? 'would be brought back' : 'brought back'
  print(done, () => `${back.join('\n')}\n${counted(back.length, 'file')} ${verb}\n`)
}
