import { humanSize } from '../../domain/catalog/human-size.ts'
import type { ResponseOf } from '../../client/types.ts'
import { UsageError } from '../support/command.ts'
import { confirm } from '../support/confirm.ts'
import { namedAction } from '../support/parse-words.ts'
import {
  commonExitCodes,
  commonUsage,
  serviceCommand,
  type Session,
} from '../support/service-command.ts'
import { table } from '../support/table.ts'

const usage = `sedge zones [list]            show every zone
sedge zones create <name>     make a zone
sedge zones show <name>       show a zone: its sizes, categories and host names
sedge zones enable <name>     have the edge serve it
sedge zones disable <name>    have the edge answer 404 for it
sedge zones suspend <name>    have the edge answer 403, and refuse writes
sedge zones resume <name>     end that
sedge zones delete <name>     remove a zone with all its files (asks first)

  --yes                delete without asking
${commonUsage}

${commonExitCodes}`

type Zone = ResponseOf<'listZones'>[number]
type Change = { readonly Enabled?: boolean; readonly Suspended?: boolean }
type Action = (name: string, session: Session, isSaid: boolean) => Promise<void>

export const zonesCommand = serviceCommand({
  name: 'zones',
  aliases: ['zone'],
  summary: 'list, create, change and delete zones',
  usage,
  options: { yes: { type: 'boolean', default: false } },
  plan({ values, positionals: [action = 'list', name, ...rest] }) {
    const isList = action === 'list'
    const act = namedAction(action, { list, ...actions })
    if (rest.length > 0 || (isList && name !== undefined)) throw new UsageError('Name one zone')
    if (!isList && name === undefined)
      throw new UsageError(`Name the zone: sedge zones ${action} <name>`)
    return (session) => act(name ?? '', session, values.yes)
  },
})

const list: Action = async (_name, { client, print }) => {
  const zones = await client.listZones()
  print(zones, () =>
    zones.length === 0
      ? 'There is no zone yet: sedge zones create <name>\n'
      : table(
          ['NAME', 'FILES', 'SIZE', 'STATE', 'CREATED'],
          zones.map((each) => [
            each.Name,
            each.FileCount,
            each.StorageUsedHuman,
            stateOf(each),
            each.DateCreated.slice(0, 10),
          ]),
        ),
  )
}

const stateOf = ({
  Enabled: isEnabled,
  Suspended: isSuspended,
}: Pick<Zone, 'Enabled' | 'Suspended'>) => {
  if (isSuspended) return 'suspended'
  return isEnabled ? 'enabled' : 'disabled'
}

const change =
  (body: Change, done: string): Action =>
  async (id, { client, print }) => {
    const zone = await client.updateZone({ id, body })
    print(zone, () => `Zone "${id}" is ${done}\n`)
  }

const actions: Readonly<Record<string, Action>> = {
  async create(name, { client, print }) {
    const made = await client.createZone({ body: { Name: name } })
    print(made, () => `Zone "${made.Name}" is there, served below ${made.OriginUrl}\n`)
  },
  async show(id, { client, print }) {
    const zone = await client.getZone({ id })
    print(zone, () => detailsOf(zone))
  },
  enable: change({ Enabled: true }, 'enabled'),
  disable: change({ Enabled: false }, 'disabled'),
  suspend: change({ Suspended: true }, 'suspended'),
  resume: change({ Suspended: false }, 'no longer suspended'),
  async delete(id, { client, print, terminal }, isSaid) {
    const { FileCount: count } = await client.getZone({ id })
    const what = `Zone "${id}" with ${count} files will be removed.`
    await confirm({ what, print: id, isSaid }, terminal)
    const removed = await client.deleteZone({ id })
    print(removed, () => `${removed.Message}\n`)
  },
}

const detailsOf = (zone: ResponseOf<'getZone'>): string =>
  [
    ['Name', zone.Name],
    ['State', stateOf(zone)],
    ['History', zone.History],
    ['Served at', zone.OriginUrl],
    ['Files', String(zone.FileCount)],
    ['Size', humanSize(zone.StorageUsed)],
    ['Categories', zone.Categories.join(', ') || 'none'],
    ['Formats', zone.Formats.join(', ') || 'none'],
    ['Host names', zone.domains.join(', ') || 'none'],
    ['Created', zone.DateCreated],
  ]
    .map(([what = '', value = '']) => `${what.padEnd(12)}${value}\n`)
    .join('')
