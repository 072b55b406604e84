import { createHash } from 'node:crypto'

import { SedgeError } from '../../client/client.ts'
import type { ResponseOf } from '../../client/types.ts'
import { mapConcurrently } from '../../lib/async/map-concurrently.ts'
import { deleteFiles } from '../files/manage/rm.ts'
import { compare, localFiles, requireZone, store } from '../files/sync-steps.ts'
import type { SyncPlan } from '../files/sync-plan.ts'
import type { LocalFile } from '../files/upload/import-plan.ts'
import { sha256OfFile } from '../files/upload/upload.ts'
import type { Session } from '../support/service-command.ts'
import { type PreviewDifferences, readDifferences } from './differences.ts'
import { sessionIn } from './preview-client.ts'

export interface Wanted {
  readonly directory: string
  readonly zone: string
  /** `v1`, or a directory below it. */
  readonly prefix: string
  /** Where left out all of it becomes live at once, by a preview that is there meanwhile. */
  readonly preview: string | undefined
  readonly promotes: boolean
  readonly deletes: boolean
  readonly jobs: number
}

export type Promotion = ResponseOf<'promotePreview'>

export interface Conflict {
  readonly Path: string
}

export interface Deployment {
  readonly preview: ResponseOf<'getPreview'>
  readonly created: readonly string[]
  readonly changed: readonly string[]
  readonly deleted: readonly string[]
  /** Refused; then nothing is promoted. */
  readonly failed: readonly string[]
  readonly unchanged: number
  readonly sentBytes: number
  /** Whether the directory has the page that a browser begins with. */
  readonly hasIndex: boolean
  /** Before anything was promoted. */
  readonly differences: PreviewDifferences
  readonly promotion: Promotion | undefined
  readonly conflicts: readonly Conflict[]
}

/**
 * Makes a preview have the files of a directory, sending what differs alone, and promotes it where that
 * is wanted. Run again it goes on where it was broken off.
 */
export async function deploy(wanted: Wanted, session: Session): Promise<Deployment> {
  const files = await filesToDeploy(wanted, session)
  const { Zone: zone, Name: name } = await openPreview(wanted, files, session)
  const inPreview = sessionIn(name, session)
  const plan = await compare(files, inPreview)
  const changes = await apply(plan, wanted, inPreview)
  const preview = await session.client.getPreview({ id: zone, name })
  const differences = await readDifferences({ zone, name }, session)
  const isWhole = changes.failed.length === 0
  const isLive = wanted.preview === undefined
  const promoted =
    isWhole && (isLive || wanted.promotes)
      ? await promoteWhole({ zone, name }, isLive, session)
      : { promotion: undefined, conflicts: [] }
  const hasIndex = files.local.some(({ path }) => path === `${files.target}/index.html`)
  return { preview, ...changes, hasIndex, differences, ...promoted }
}

/** What would be sent and deleted; where the preview is not there yet, against what is live. */
export async function planDeployment(wanted: Wanted, session: Session): Promise<SyncPlan> {
  const files = await filesToDeploy(wanted, session)
  const { zone, preview: name } = wanted
  const known = name === undefined ? undefined : await findPreview({ zone, name }, session)
  return await compare(files, known === undefined ? session : sessionIn(known.Name, session))
}

interface Files {
  readonly local: readonly LocalFile[]
  readonly target: string
  readonly sha256Of: (source: string) => Promise<string>
}

async function filesToDeploy(wanted: Wanted, session: Session): Promise<Files> {
  const target = `${wanted.zone}/${wanted.prefix}`
  const local = await localFiles({ directory: wanted.directory, target })
  await requireZone(target, session)
  return { local, target, sha256Of: rememberedDigests() }
}

/** No file is read twice to be compared. */
function rememberedDigests(): Files['sha256Of'] {
  const digests = new Map<string, Promise<string>>()
  return (source) => {
    const digest = digests.get(source) ?? sha256OfFile(source)
    digests.set(source, digest)
    return digest
  }
}

type Preview = ResponseOf<'getPreview'>

interface Named {
  readonly zone: string
  readonly name: string
}

async function openPreview(wanted: Wanted, files: Files, session: Session): Promise<Preview> {
  const { zone, preview: name } = wanted
  if (name !== undefined) return await findOrCreate({ zone, name }, {}, session)
  const Expires = new Date(Date.now() + passingDays * 86_400_000).toISOString()
  return await findOrCreate({ zone, name: await passingName(wanted, files) }, { Expires }, session)
}

/** What nobody went on with. */
const passingDays = 1
const hashedAtOnce = 8

/** The same for the same files, so that what was broken off is found again, and no two deployments mix. */
async function passingName({ deletes }: Wanted, { local, target, sha256Of }: Files) {
  const lines = await mapConcurrently(
    local,
    hashedAtOnce,
    async ({ path, source }) => `${path}\n${await sha256Of(source)}`,
  )
  const digest = createHash('sha256')
    .update([target, deletes, ...lines].join('\n'))
    .digest('hex')
  return `deploy-${digest.slice(0, 16)}`
}

async function findOrCreate(
  { zone, name }: Named,
  settings: { readonly Expires?: string },
  session: Session,
): Promise<Preview> {
  const found = await findPreview({ zone, name }, session)
  if (found !== undefined) return found
  try {
    return await session.client.createPreview({ id: zone, body: { Name: name, ...settings } })
  } catch (error) {
    if (!(error instanceof SedgeError) || error.code !== 'PreviewExists') throw error
    return await session.client.getPreview({ id: zone, name })
  }
}

async function findPreview({ zone, name }: Named, { client }: Session) {
  try {
    return await client.getPreview({ id: zone, name })
  } catch (error) {
    if (error instanceof SedgeError && error.code === 'PreviewNotFound') return undefined
    throw error
  }
}

type Changes = Pick<
  Deployment,
  'created' | 'changed' | 'deleted' | 'failed' | 'unchanged' | 'sentBytes'
>

async function apply(
  plan: SyncPlan,
  { jobs, deletes }: Wanted,
  session: Session,
): Promise<Changes> {
  const sent = [...plan.created, ...plan.changed]
  const refused = new Set(await store(sent, { jobs }, session))
  const extra = deletes ? plan.extra.map(({ path }) => path) : []
  const { deleted, failed: kept } = await deleteFiles(extra, session)
  const stored = sent.filter(({ path }) => !refused.has(path))
  const pathsOf = (files: readonly LocalFile[]) =>
    files.filter(({ path }) => !refused.has(path)).map(({ path }) => path)
  return {
    created: pathsOf(plan.created),
    changed: pathsOf(plan.changed),
    deleted,
    failed: [...refused, ...kept],
    unchanged: plan.unchanged.length,
    sentBytes: stored.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  }
}

type Promoted = Pick<Deployment, 'promotion' | 'conflicts'>

/**
 * What both sides changed is told; then nothing was done. A preview that was there for this alone goes
 * either way: the next deployment begins with what is live then.
 */
async function promoteWhole(
  { zone: id, name }: Named,
  isPassing: boolean,
  { client }: Session,
): Promise<Promoted> {
  try {
    const promotion = await client.promotePreview({ id, name, body: { Delete: isPassing } })
    return { promotion, conflicts: [] }
  } catch (error) {
    const conflicts = error instanceof SedgeError ? conflictsIn(error) : undefined
    if (conflicts === undefined) throw error
    if (isPassing) await client.deletePreview({ id, name })
    return { promotion: undefined, conflicts }
  }
}

export function conflictsIn({ status, body }: SedgeError): readonly Conflict[] | undefined {
  const { Conflicts: conflicts } = body
  return status === 409 && Array.isArray(conflicts) ? (conflicts as Conflict[]) : undefined
}
