import type { ResponseOf, Input } from '../../client/types.ts'
import { UsageError } from '../support/command.ts'
import { confirm } from '../support/confirm.ts'
import { commonExitCodes, commonUsage, serviceCommand } from '../support/service-command.ts'

type Request = Input<'purge'>['body']

/** The service's own limit of one purge. */
const maxItems = 30

export const purgeCommand = serviceCommand({
  name: 'purge',
  summary: 'have every edge forget URLs, tags or everything',
  usage: `sedge purge <path or address> …
sedge purge --tag <tag> …
sedge purge --everything      (asks first)

Nothing of what was purged is served any more when this answers. One purge takes 30
addresses or tags; more become several, and each counts (100 a UTC day).

  --tag <tag>          e.g. zone-acme, category-icons, format-svg (may be given again)
  --everything         all of it
  --soft               mark as stale instead of forgetting
  --dry-run            say what would go, and purge nothing
  --yes                purge everything without asking
${commonUsage}

${commonExitCodes}`,
  options: {
    tag: { type: 'string', multiple: true },
    everything: { type: 'boolean', default: false },
    soft: { type: 'boolean', default: false },
    'dry-run': { type: 'boolean', default: false },
    yes: { type: 'boolean', default: false },
  },
  plan({ values, positionals }) {
    const requests = requestsOf(positionals.map(urlOf), values.tag ?? [], values.everything)
    const how = { soft: values.soft, dry_run: values['dry-run'] }
    const isSaid = values.yes || values['dry-run'] || !values.everything
    return async ({ client, print, terminal }) => {
      await confirm({ what: everything, print: 'everything', isSaid }, terminal)
      const responses: ResponseOf<'purge'>[] = []
      for (const request of requests)
        responses.push(await client.purge({ body: { ...request, ...how } }))
      const last = responses.at(-1)
      print(
        responses,
        () =>
          `${responses.flatMap(matchLines).join('')}${last?.Message}. ${last?.remaining_today} purges are left today\n`,
      )
    }
  },
})

const everything = 'Every cache will forget everything, and each file is fetched again.'

/** Of a dry run: what each URL or tag means, a line each. */
const matchLines = ({ matches = [], assets }: ResponseOf<'purge'>): readonly string[] => [
  ...matches.map(({ item, exists, assets: count }) => `${item}: ${meaningOf(exists, count)}\n`),
  ...(assets === undefined ? [] : [`everything: ${assetsText(assets)}\n`]),
]

function meaningOf(exists: boolean | null, count: number | null): string {
  if (exists === false) return 'nothing is there'
  return count === null ? 'whatever caches have of it' : assetsText(count)
}

const assetsText = (count: number): string => `${count} ${count === 1 ? 'asset' : 'assets'}`

const urlOf = (text: string): string =>
  /^https?:\/\//iu.test(text) || text.startsWith('/') ? text : `/${text}`

function requestsOf(
  urls: readonly string[],
  tags: readonly string[],
  isEverything: boolean | undefined,
): readonly Request[] {
  const kinds = [urls.length > 0, tags.length > 0, isEverything === true].filter(Boolean).length
  if (kinds !== 1) throw new UsageError('Say URLs, or --tag, or --everything')
  if (isEverything === true) return [{ purge_everything: true }]
  return [
    ...groupsOf(urls).map((group) => ({ urls: group })),
    ...groupsOf(tags).map((group) => ({ tags: group })),
  ]
}

const groupsOf = (items: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(items.length / maxItems) }, (_, index) =>
    items.slice(index * maxItems, (index + 1) * maxItems),
  )
