import { UsageError } from '../../support/command.ts'
import {
  commonExitCodes,
  commonUsage,
  serviceCommand,
  type Session,
} from '../../support/service-command.ts'
import { table } from '../../support/table.ts'
import { cleanPath, filesOf } from '../remote-files.ts'

/** The service takes so many at once, and commits them together. */
const pathsAtOnce = 1_000

export const tagCommand = serviceCommand({
  name: 'tag',
  summary: 'give assets tags, or take them away',
  usage: `sedge tag <path> … --add <tag> … --remove <tag> …
sedge tag --recursive <directory> … --add <tag>
sedge tag <path> …

Gives each of the assets the tags, in one commit for a thousand of them; without
--add and --remove it prints what they have. Assets are listed, found and purged
by their tags.

  --add <tag>          a tag to give; may be said again
  --remove <tag>       a tag to take away; may be said again
  --recursive, -r      every file below a directory
  --dry-run            say what would change
${commonUsage}

${commonExitCodes}`,
  options: {
    add: { type: 'string', multiple: true, default: [] },
    remove: { type: 'string', multiple: true, default: [] },
    recursive: { type: 'boolean', short: 'r', default: false },
    'dry-run': { type: 'boolean', default: false },
  },
  plan({ values, positionals }) {
    if (positionals.length === 0) throw new UsageError('Name what to tag')
    const paths = positionals.map(cleanPath)
    const changes = [
      { Action: 'tag', Tags: values.add },
      { Action: 'untag', Tags: values.remove },
    ] as const
    const wanted = changes.filter(({ Tags }) => Tags.length > 0)
    const isDryRun = values['dry-run']
    return async (session) => {
      const all = values.recursive ? await below(paths, session) : paths
      if (wanted.length === 0) return await printTags(all, session)
      const changed = new Set<string>()
      for (const change of wanted)
        for (const path of await changeAll(all, { ...change, isDryRun }, session)) changed.add(path)
      const verb = isDryRun ? 'would change' : 'changed'
      session.print(
        { changed: [...changed], unchanged: all.length - changed.size, dryRun: isDryRun },
        () => `${changed.size} ${verb}, ${all.length - changed.size} as they were\n`,
      )
      return undefined
    }
  },
})

async function below(paths: readonly string[], { client }: Session): Promise<readonly string[]> {
  const listings = await Promise.all(paths.map((path) => filesOf(client, path)))
  const found = listings.flat().map(({ path }) => path)
  if (found.length === 0) throw new UsageError('There is no file below that')
  return found
}

interface TagChange {
  readonly Action: 'tag' | 'untag'
  readonly Tags: readonly string[]
  readonly isDryRun: boolean
}

async function changeAll(
  paths: readonly string[],
  { Action, Tags, isDryRun }: TagChange,
  { client }: Session,
): Promise<readonly string[]> {
  const changed: string[] = []
  for (let start = 0; start < paths.length; start += pathsAtOnce) {
    const Paths = paths.slice(start, start + pathsAtOnce)
    const body = { Paths, Action, Tags: [...Tags], DryRun: isDryRun }
    const { Results } = await client.describeAssets({ body })
    changed.push(
      ...Results.filter(({ Outcome }) => Outcome !== 'unchanged').map(({ Path }) => Path),
    )
  }
  return changed
}

async function printTags(paths: readonly string[], { client, print }: Session): Promise<void> {
  const found: { path: string; tags: readonly string[] }[] = []
  for (const path of paths)
    found.push({ path, tags: (await client.getAssetMetadata({ path })).Metadata.Tags })
  print(found, () =>
    table(
      ['PATH', 'TAGS'],
      found.map(({ path, tags }) => [path, tags.join(', ')]),
    ),
  )
}
