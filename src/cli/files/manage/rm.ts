import { SedgeError } from '../../../client/client.ts'
import { mapConcurrently } from '../../../lib/async/map-concurrently.ts'
import { exitCodes, terminalProgress, UsageError } from '../../support/command.ts'
import { confirm } from '../../support/confirm.ts'
import { cleanPath, filesOf } from '../remote-files.ts'
import { refusalText } from '../../support/say-error.ts'
import {
  commonExitCodes,
  commonUsage,
  serviceCommand,
  type Session,
} from '../../support/service-command.ts'

/** What is asked for at once is committed at once. */
const deletionsAtOnce = 16

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

/** Goes on after a file that cannot be deleted, and says why not. */
export async function deleteFiles(paths: readonly string[], { client, terminal }: Session) {
  const deleted: string[] = []
  const failed: string[] = []
  const progress = terminalProgress(
    { label: 'deleting', total: paths.length, unit: 'files' },
    terminal,
  )
  await mapConcurrently(paths, deletionsAtOnce, async (path) => {
    try {
      await client.deleteFile({ path })
      deleted.push(path)
    } catch (error) {
      // A credential that is not good for one file is not good for the next.
      const isOfThisFile = error instanceof SedgeError && error.status !== 401
      if (!isOfThisFile || paths.length === 1) throw error
      failed.push(path)
      terminal.error.write(`${path}: ${refusalText(error)}\n`)
    }
    progress.advance(1)
  })
  progress.finish()
  return { deleted, failed }
}
