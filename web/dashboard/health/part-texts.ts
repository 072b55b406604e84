import type { ResponseOf } from '../../../src/client/types.ts'
import { t } from '../language/text.ts'
import { humanBytes, humanNumber, humanTime } from '../parts/format.ts'

export type Part = ResponseOf<'getHealthParts'>['Parts'][number]

export const partTexts: Readonly<Record<Part['Name'], string>> = {
  publishing: t('Publishing'),
  database: t('Database'),
  disk: t('Disk'),
  renderer: t('Image transforms'),
  search: t('Search'),
  models: t('Language models'),
  delivery: t('Delivery'),
  edges: t('Edges'),
  certificates: t('Certificates'),
  dns: t('DNS of domains'),
  webhooks: t('Webhooks'),
  mail: t('E-mail'),
  mirror: t('Git mirror'),
  backups: t('Backups'),
  limits: t('Limits'),
  cluster: t('Cluster'),
  time: t('Clock'),
}

const factTexts: Readonly<Record<string, string>> = {
  sequence: t('Changes so far'),
  kind: t('Kind'),
  free: t('Free'),
  size: t('Size'),
  running: t('Running'),
  queued: t('Waiting'),
  requests: t('Requests in 5 minutes'),
  failures: t('Failures'),
  domains: t('Domains'),
  sent: t('Sent'),
  pendingCommits: t('Commits to push'),
  pushed: t('Pushed'),
  newest: t('Newest'),
  epoch: t('Epoch'),
  now: t('Time'),
}

type Fact = Part['Facts'][number]

/** Of an edge, its name, and how many changes it is behind. */
export const factName = ({ Name }: Fact, part: Part['Name']): string =>
  part === 'edges' ? Name : (factTexts[Name] ?? Name)

export function factValue({ Value, Unit }: Fact, part: Part['Name']): string {
  if (Unit === 'time') return humanTime(String(Value))
  if (typeof Value === 'string') return Value
  if (part === 'edges') return t('{count} behind', { count: humanNumber(Value) })
  return Unit === 'bytes' ? humanBytes(Value) : humanNumber(Value)
}
