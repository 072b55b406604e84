import { SedgeError } from '../../client/client.ts'
import type { ResponseOf } from '../../client/types.ts'
import { exitCodes, UsageError } from '../support/command.ts'
import { confirm } from '../support/confirm.ts'
import { namedAction } from '../support/parse-words.ts'
import { commonUsage, serviceCommand, type Session } from '../support/service-command.ts'
import { table } from '../support/table.ts'
import { previewName } from './deploy.ts'
import { conflictLines, previewUrl } from './deployment-text.ts'
import { type Conflict, conflictsIn, type Promotion } from './deployment.ts'
import { differenceLines, readDifferences } from './differences.ts'

const usage = `sedge preview list <zone>                   show the previews of a zone
sedge preview create <zone> <name>          make one of what is live
sedge preview show <zone> <name>            show where it is, and until when
sedge preview diff <zone> <name>            show what is otherwise than live, with sizes
sedge preview promote <zone> <name>         make what it changed live
sedge preview update <zone> <name>          take in what has become live since
sedge preview delete <zone> <name>          remove it (asks first)

A preview has the files of a zone as they will be; sedge deploy and sedge sync fill it.

  --from <commit>      create: of that commit, or of that moment (RFC 3339)
  --expires <moment>   create: how long it is kept (30 days after the last change)
  --signed             create: only signed URLs show it
  --path <path>        promote: this directory or file alone (may be given again)
  --delete             promote: remove the preview then
  --dry-run            promote: say what would become live
  --yes                delete: do not ask
${commonUsage}

Exit codes: 0 done, 1 failed, 2 wrong use, 3 not permitted, 4 not there, 5 no service
answers, 6 both have changed the same, and nothing was done.`

const options = {
  from: { type: 'string' },
  expires: { type: 'string' },
  signed: { type: 'boolean', default: false },
  path: { type: 'string', multiple: true },
  delete: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
} as const

interface Values {
  readonly from?: string | undefined
  readonly expires?: string | undefined
  readonly signed: boolean
  readonly path?: readonly string[] | undefined
  readonly delete: boolean
  readonly 'dry-run': boolean
  readonly yes: boolean
}

interface Asked {
  readonly zone: string
  readonly name: string
  readonly values: Values
}

type Action = (asked: Asked, session: Session) => Promise<number | void>
type Preview = ResponseOf<'getPreview'>

export const previewCommand = serviceCommand({
  name: 'preview',
  aliases: ['previews'],
  summary: 'make, show, compare and promote previews of a zone',
  usage,
  options,
  plan({ values, positionals: [action, zone, name, ...rest] }) {
    const act = namedAction(action, { list, ...actions })
    if (zone === undefined || rest.length > 0) throw new UsageError('Name one zone')
    if (act === list) {
      if (name !== undefined) throw new UsageError('Name the zone alone')
      return (session) => list({ zone, name: '', values }, session)
    }
    if (name === undefined)
      throw new UsageError(`Name the preview: sedge preview ${action} ${zone} <name>`)
    const asked = { zone, name: previewName(name), values }
    return (session) => act(asked, session)
  },
})

const list: Action = async ({ zone }, { client, print }) => {
  const { Previews } = await client.listPreviews({ id: zone })
  print(Previews, () =>
    Previews.length === 0
      ? `Zone "${zone}" has no preview: sedge preview create ${zone} <name>\n`
      : table(
          ['NAME', 'CHANGED', 'EXPIRES', 'WHERE'],
          Previews.map((each) => [
            each.Name,
            each.DateChanged.slice(0, 10),
            each.Expires.slice(0, 10),
            previewUrl(each),
          ]),
        ),
  )
}

const actions: Readonly<Record<string, Action>> = {
  async create({ zone, name, values: { from, expires, signed } }, { client, print }) {
    const settings = {
      ...(from !== undefined && { From: from }),
      ...(expires !== undefined && { Expires: expires }),
      ...(signed && { Signed: true }),
    }
    const made = await client.createPreview({ id: zone, body: { Name: name, ...settings } })
    print(made, () => `${previewUrl(made)}\n`)
  },
  async show({ zone, name }, { client, print }) {
    const found = await client.getPreview({ id: zone, name })
    print(found, () => detailsOf(found))
  },
  async diff(named, session) {
    const differences = await readDifferences(named, session)
    session.print(differences, () => differenceLines(differences, Number.POSITIVE_INFINITY))
  },
  async promote({ zone, name, values }, session) {
    const isDryRun = values['dry-run']
    const body = {
      DryRun: isDryRun,
      Delete: values.delete,
      ...(values.path !== undefined && { Paths: [...values.path] }),
    }
    return await merged(() => session.client.promotePreview({ id: zone, name, body }), {
      session,
      said: (done) => `${isDryRun ? 'It would be' : 'Live now'}: ${countsOf(done)}\n`,
    })
  },
  update: async ({ zone, name }, session) =>
    await merged(() => session.client.updatePreview({ id: zone, name, body: {} }), {
      session,
      said: (done) => `Preview "${name}" has what is live: ${countsOf(done)}\n`,
    }),
  async delete({ zone, name, values }, { client, print, terminal }) {
    const what = `Preview "${name}" of zone "${zone}" will be removed.`
    await confirm({ what, print: name, isSaid: values.yes }, terminal)
    const removed = await client.deletePreview({ id: zone, name })
    print(removed, () => `${removed.Message}\n`)
  },
}

interface Merging {
  readonly session: Session
  readonly said: (done: Promotion) => string
}

async function merged(
  merge: () => Promise<Promotion>,
  { session, said }: Merging,
): Promise<number> {
  try {
    const done = await merge()
    session.print(done, () => said(done))
    return exitCodes.ok
  } catch (error) {
    const conflicts = error instanceof SedgeError ? conflictsIn(error) : undefined
    if (conflicts === undefined) throw error
    return sayConflicts(conflicts, session)
  }
}

function sayConflicts(
  conflicts: readonly Conflict[],
  { isJson, print, terminal }: Session,
): number {
  if (isJson) print({ conflicts }, () => '')
  for (const line of conflictLines(conflicts)) terminal.error.write(`${line}\n`)
  return exitCodes.conflict
}

const countsOf = ({ Added, Changed, Removed }: Promotion): string =>
  `${Added} added, ${Changed} changed, ${Removed} removed`

const detailsOf = (preview: Preview): string =>
  [
    ['Name', preview.Name],
    ['Where', preview.Url],
    ...(preview.HostUrl === null ? [] : [['', preview.HostUrl]]),
    ['Seen by', preview.Signed ? 'whoever has a signed URL' : 'everybody who knows the URL'],
    ['Made of', preview.Base.slice(0, 12)],
    ['Shows', preview.Head.slice(0, 12)],
    ['Created', preview.DateCreated],
    ['Changed', preview.DateChanged],
    ['Expires', preview.Expires],
  ]
    .map(([what = '', value = '']) => `${what.padEnd(10)}${value}\n`)
    .join('')
