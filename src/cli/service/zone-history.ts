import type { Input, ResponseOf } from '../../client/types.ts'
import { UsageError } from '../support/command.ts'
import { confirm } from '../support/confirm.ts'
import { namedAction, wholeNumber } from '../support/parse-words.ts'
import {
  commonExitCodes,
  commonUsage,
  serviceCommand,
  type Session,
} from '../support/service-command.ts'
import { printable, table } from '../support/table.ts'

type Setting = ResponseOf<'listZones'>[number]['History']
type Restoration = NonNullable<Input<'restoreZone'>['body']>

const settings: Readonly<Record<Setting, Setting>> = {
  public: 'public',
  signed: 'signed',
  off: 'off',
}

/** The commits of a zone, and who may ask for what they had. */
export const historyCommand = serviceCommand({
  name: 'history',
  summary: 'show the commits of a zone, and open them to others',
  usage: `sedge history <zone> [--limit <count>] [--before <commit>]
sedge history <zone> --open public|signed|off

Shows the commits that changed a zone, the newest first. With --open public everybody gets
its files as any of them has them, at /@<commit>/…; with signed whoever has a signed URL,
with off (as from the beginning) nobody. sedge restore-zone goes back to one.

  --limit <count>      how many commits to show, 1 to 500 (50)
  --before <commit>    those before this one
  --open <setting>     who may ask for former files: public, signed or off
${commonUsage}

${commonExitCodes}`,
  options: {
    limit: { type: 'string' },
    before: { type: 'string' },
    open: { type: 'string' },
  },
  plan({ values, positionals: [zone, ...rest] }) {
    if (zone === undefined || rest.length > 0) throw new UsageError('Name one zone')
    const limit = wholeNumber(values.limit, { name: 'limit', min: 1, max: 500 })
    const { before, open } = values
    if (open === undefined) return (session) => show(zone, { limit, before }, session)
    const setting = namedAction(open, settings)
    return async ({ client, print }) => {
      const changed = await client.updateZone({ id: zone, body: { History: setting } })
      print(changed, () => `The history of zone "${zone}" is ${setting}\n`)
    }
  },
})

interface Page {
  readonly limit: number | undefined
  readonly before: string | undefined
}

async function show(id: string, { limit, before }: Page, { client, print }: Session) {
  const page = { ...(limit !== undefined && { limit }), ...(before !== undefined && { before }) }
  const { Commits } = await client.getZoneHistory({ id, ...page })
  print(Commits, () =>
    Commits.length === 0
      ? 'There are no more commits\n'
      : table(
          ['COMMIT', 'DATE', 'BY', 'WHAT'],
          Commits.map((each) => [
            each.Commit.slice(0, 12),
            each.DateCommitted.slice(0, 19).replace('T', ' '),
            each.Author,
            each.Subject,
          ]),
        ),
  )
}

/** Puts a zone back to what it was. */
export const restoreZoneCommand = serviceCommand({
  name: 'restore-zone',
  summary: 'put a zone back to what it was',
  usage: `sedge restore-zone <zone> --commit <commit> [--prefix <path>] [--dry-run]
sedge restore-zone <zone> --time <moment> [--prefix <path>] [--dry-run]

Makes one commit that has the files of a former one, and what was known of them. Whatever
was stored since then stays in the history: restoring the commit before takes it back. It
says first what will be otherwise, and asks.

  --commit <commit>    as sedge history shows it; at least 7 digits
  --time <moment>      the state at that moment, e.g. 2027-01-31T12:00:00Z
  --prefix <path>      a directory or a file of the zone alone, such as v1/icons
  --dry-run            say what would be otherwise, and change nothing
  --yes                do not ask
${commonUsage}

${commonExitCodes}`,
  options: {
    commit: { type: 'string' },
    time: { type: 'string' },
    prefix: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
    yes: { type: 'boolean', default: false },
  },
  plan({ values, positionals: [zone, ...rest] }) {
    if (zone === undefined || rest.length > 0) throw new UsageError('Name one zone')
    const { commit, time, prefix, yes: isSaid, 'dry-run': isDryRun } = values
    if ((commit === undefined) === (time === undefined))
      throw new UsageError('Say either --commit or --time')
    const body = {
      ...(commit !== undefined && { Commit: commit }),
      ...(time !== undefined && { Time: time }),
      ...(prefix !== undefined && { Prefix: prefix }),
    }
    return (session) => restore(zone, body, { isSaid, isDryRun, session })
  },
})

interface How {
  readonly isSaid: boolean
  readonly isDryRun: boolean
  readonly session: Session
}

async function restore(
  id: string,
  body: Restoration,
  { isSaid, isDryRun, session: { client, print, terminal } }: How,
): Promise<void> {
  const planned = await client.restoreZone({ id, body: { ...body, DryRun: true } })
  if (isDryRun) return print(planned, () => `${pathLines(planned)}${planned.Message}\n`)
  await confirm({ what: `${planned.Message}.`, print: id, isSaid }, terminal)
  // What was shown is what is done, whatever commits have been made meanwhile.
  const { Prefix } = body
  const meant = { Commit: planned.From, ...(Prefix !== undefined && { Prefix }) }
  const done = await client.restoreZone({ id, body: meant })
  print(done, () => `${done.Message}\n${wayBack(done)}`)
}

const pathLines = ({ Paths: { Added, Changed, Removed } }: ResponseOf<'restoreZone'>): string =>
  [
    ...Added.map((path) => `+ ${printable(path)}\n`),
    ...Changed.map((path) => `~ ${printable(path)}\n`),
    ...Removed.map((path) => `- ${printable(path)}\n`),
  ].join('')

const wayBack = ({ Id, Commit, Before }: ResponseOf<'restoreZone'>): string =>
  Commit === null || Before === null
    ? ''
    : `sedge restore-zone ${Id} --commit ${Before.slice(0, 12)} takes it back\n`
