import { SedgeError } from '../../../client/client.ts'
import { exitCodes, terminalProgress, UsageError } from '../../support/command.ts'
import { confirm } from '../../support/confirm.ts'
import { cleanPath, filesOf } from '../remote-files.ts'
import {
  commonExitCodes,
  commonUsage,
  serviceCommand,
  type Session,
} from '../../support/service-command.ts'
import { printable } from '../../support/table.ts'

/** The service takes so many at once, and commits them together. */
const pathsAtOnce = 1_000

export const rmCommand = serviceCommand({
  name: 'rm',
  aliases: ['delete'],
  summary: 'delete files',
  usage: `sedge rm <path> …
sedge rm --recursive <directory> …

Deletes files from storage; the edge stops serving them at once. For 30 days sedge trash
brings them back, and they stay in the history of the repository.

  --recursive, -r      every file below a directory (asks first)
  --yes                do not ask
${commonUsage}

${commonExitCodes}`,
  options: {
    recursive: { type: 'boolean', short: 'r', default: false },
    yes: { type: 'boolean', default: false },
  },
  plan({ values, positionals }) {
    if (positionals.length === 0) throw new UsageError('Name what to delete')
    const paths = positionals.map(cleanPath)
    const directory = paths.find((path) => path.endsWith('/') || !path.includes('/'))
    if (!values.recursive && directory !== undefined)
      throw new UsageError(`${directory} is a directory: say --recursive to delete all below it`)
    return async (session) => {
      const wanted = values.recursive ? await below(paths, session) : paths
      if (values.recursive)
        await confirm(
          {
            what: `${wanted.length} files will be deleted.`,
            print: 'yes',
            isSaid: values.yes,
          },
          session.terminal,
        )
      const { deleted, failed } = await deleteFiles(wanted, session)
      session.print({ deleted, failed }, () => `${deleted.length} deleted\n`)
      return failed.length === 0 ? exitCodes.ok : exitCodes.failed
    }
  },
})

async function below(paths: readonly string[], { client }: Session): Promise<readonly string[]> {
  const listings = await Promise.all(paths.map((path) => filesOf(client, path)))
  return listings.flat().map(({ path }) => path)
}

/** Goes on without a file that cannot be deleted, and says why not. */
export async function deleteFiles(paths: readonly string[], session: Session) {
  const wanted = [...new Set(paths)]
  const failed: string[] = []
  const progress = terminalProgress(
    { label: 'deleting', total: wanted.length, unit: 'files' },
    session.terminal,
  )
  for (let start = 0; start < wanted.length; start += pathsAtOnce) {
    const together = wanted.slice(start, start + pathsAtOnce)
    failed.push(...(await deleteTogether(together, wanted.length === 1, session)))
    progress.advance(together.length)
  }
  progress.finish()
  const isFailed = new Set(failed)
  return { deleted: wanted.filter((path) => !isFailed.has(path)), failed }
}

/** One commit of all that can be deleted; answers the others. Of a single path the refusal is thrown. */
async function deleteTogether(
  paths: readonly string[],
  isSingle: boolean,
  session: Session,
): Promise<readonly string[]> {
  let left = paths
  const failed: string[] = []
  while (left.length > 0)
    try {
      await session.client.deleteFiles({ body: { Paths: [...left] } })
      break
    } catch (error) {
      const refusedByPath = isSingle ? new Map<string, string>() : refusalsIn(error, left)
      if (refusedByPath.size === 0) throw error
      for (const [path, why] of refusedByPath)
        session.terminal.error.write(`${printable(`${path}: ${why}`)}\n`)
      failed.push(...refusedByPath.keys())
      left = left.filter((path) => !refusedByPath.has(path))
    }
  return failed
}

/** Why each path cannot be deleted that the service names; none where it refuses for another reason. */
function refusalsIn(error: unknown, paths: readonly string[]): ReadonlyMap<string, string> {
  if (!(error instanceof SedgeError)) return new Map()
  const { details, target, message } = error
  const named = details.length > 0 ? details : [{ target, message }]
  return new Map(
    named.flatMap((each) => {
      const [, index] = /^Paths\[(\d+)\]$/u.exec(each.target ?? '') ?? []
      const path = paths[Number(index)]
      return path === undefined ? [] : [[path, each.message ?? message] as const]
    }),
  )
}
