import { createHash } from 'node:crypto'

import type { JsonSchema } from '../../../lib/json-schema/json-schema.ts'
import { mapConcurrently } from '../../../lib/async/map-concurrently.ts'
import type { Change, Tree } from '../../../ports/content/content-store.ts'
import {
  type AssetMetadata,
  isSameMetadata,
  metadataRow,
} from '../../../ports/records/asset-metadata.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import type { Actor } from '../../access/actor.ts'
import { ServiceError } from '../../errors.ts'
import { type AssetPath, repositoryPath, zoneOf } from '../asset-path.ts'
import type { ChangeRequest, Committer } from '../committer.ts'
import { createFaults } from '../files/edit-faults.ts'
import { requireOpenZone } from '../files/files.ts'
import { createZoneGuard } from '../write-guards.ts'
import { editedMetadata, type MetadataEdit, type MetadataPatch } from './edit-metadata.ts'
import { faultOfFields, parseFieldSchema, requireFields } from './field-schema.ts'
import { firstValuesIn, personsValues, withFirstValues } from './first-values.ts'
import { readSidecar, sidecarChange } from './stored-sidecar.ts'
import { serialiseSidecar } from './sidecar.ts'
import { fieldsPath } from './sidecar-paths.ts'

export interface Description {
  readonly path: AssetPath
  readonly edit: MetadataEdit
  /** Whether it may be made, given the {@link metadataTag} of what persons say now. */
  readonly precondition?: (tag: string) => boolean
  /** What the request calls the path, for refusals. */
  readonly field: string
}

export interface DescribeRequest {
  /** Not empty; each path once. */
  readonly descriptions: readonly Description[]
  /** Checks everything and changes nothing. */
  readonly isDryRun?: boolean
}

export interface Described {
  /** Absent where nothing had to change, and of a dry run. */
  readonly commitId: string | undefined
  /** One for each description, in their order. */
  readonly outcomes: readonly ('updated' | 'unchanged')[]
}

/** What persons say of assets. */
export interface Descriptions {
  /** All of it in one commit, or nothing. */
  describe(request: DescribeRequest, actor: Actor): Promise<Described>
}

interface Dependencies {
  readonly content: Tree
  readonly published: Pick<Manifest, 'asset' | 'zone'>
  readonly publisher: Committer
}

/** Changes with what persons say of an asset, and with nothing else. In quotes, as an entity-tag is. */
export function metadataTag(metadata: AssetMetadata | undefined): string {
  const { object: _object, ...persons } = personsValues(metadata)
  const digest = createHash('sha256').update(JSON.stringify(metadataRow(persons)))
  return `"${digest.digest('base64url').slice(0, 22)}"`
}

export const createDescriptions = (dependencies: Dependencies): Descriptions => ({
  async describe({ descriptions, isDryRun = false }, actor) {
    const { content, published, publisher } = dependencies
    const faults = createFaults(descriptions.length)
    for (const { path, field } of descriptions)
      await faults.noting(field, async () => requireOpenZone(path, actor, published))
    faults.throwAny()
    let plan: DescriptionPlan | undefined
    const planOn = async (tree: Tree) => {
      await requireWritableZones(tree, descriptions)
      plan = await planDescriptions(tree, descriptions, published)
      return plan.changes
    }
    if (isDryRun) await planOn(content)
    const commit = isDryRun
      ? undefined
      : await publisher.commit({ ...deedOf(descriptions, published), actor }, planOn)
    return { commitId: commit?.id, outcomes: plan?.outcomes ?? [] }
  },
})

async function requireWritableZones(
  tree: Tree,
  descriptions: readonly Description[],
): Promise<void> {
  const faults = createFaults(descriptions.length)
  const requireWritable = createZoneGuard(tree)
  for (const { path, field } of descriptions)
    await faults.noting(field, () => requireWritable(zoneOf(path)))
  faults.throwAny()
}

export interface DescriptionPlan {
  readonly changes: readonly Change[]
  /** One for each description, in their order. */
  readonly outcomes: Described['outcomes']
}

/**
 * What descriptions come to, on `tree`; each path may be there once. Refuses all of them where one cannot
 * be, with a detail for each that cannot. Who may write is not asked here.
 */
export async function planDescriptions(
  tree: Tree,
  descriptions: readonly Description[],
  published: Pick<Manifest, 'asset'>,
): Promise<DescriptionPlan> {
  const edited = await editSidecars(tree, descriptions, published)
  const outcomes = edited.map(({ isChanged }) => (isChanged ? 'updated' : 'unchanged'))
  return { changes: changesOf(edited), outcomes }
}

interface EditedSidecar {
  readonly path: AssetPath
  readonly metadata: AssetMetadata
  readonly isChanged: boolean
  /** `undefined` where there is nothing to say any more. */
  readonly bytes: Uint8Array | undefined
}

const readAtOnce = 32

async function editSidecars(
  tree: Tree,
  descriptions: readonly Description[],
  published: Pick<Manifest, 'asset'>,
): Promise<readonly EditedSidecar[]> {
  const fieldsOf = createFieldSchemas(tree)
  const editOne = async (description: Description): Promise<EditedSidecar> => {
    const edited = await editSidecar(tree, description, published)
    if (touchesCustom(description.edit))
      requireFields(edited.metadata, await fieldsOf(zoneOf(description.path)))
    return edited
  }
  // Of one asset the refusal names the member; of many, the path.
  const [first] = descriptions
  if (descriptions.length === 1 && first !== undefined) return [await editOne(first)]
  const faults = createFaults(descriptions.length)
  const edited = await mapConcurrently(descriptions, readAtOnce, async (description) => {
    let result: EditedSidecar | undefined
    await faults.noting(description.field, async () => {
      result = await editOne(description)
    })
    return result
  })
  faults.throwAny()
  return edited.filter((each) => each !== undefined)
}

/** What is said of a file that the same commit puts. */
export async function describedBeside(
  tree: Tree,
  { path, patch }: { readonly path: AssetPath; readonly patch: MetadataPatch },
  published: Pick<Manifest, 'asset'>,
): Promise<readonly Change[]> {
  const description = { path, edit: { kind: 'set', patch }, field: 'path' } as const
  const edited = await editSidecarOf(tree, description, published)
  if (touchesCustom(description.edit))
    requireFields(edited.metadata, await createFieldSchemas(tree)(zoneOf(path)))
  return changesOf([edited])
}

const touchesCustom = (edit: MetadataEdit): boolean =>
  edit.kind === 'set' && edit.patch.custom !== undefined

/** Reads the schema of each zone once. */
function createFieldSchemas(tree: Tree): (zone: string) => Promise<JsonSchema | undefined> {
  const schemas = new Map<string, Promise<JsonSchema | undefined>>()
  const read = async (zone: string) => {
    const text = new TextDecoder().decode(await tree.read(fieldsPath(zone)))
    return text === '' || faultOfFields(text) !== undefined ? undefined : parseFieldSchema(text)
  }
  return (zone) => {
    const known = schemas.get(zone) ?? read(zone)
    schemas.set(zone, known)
    return known
  }
}

async function editSidecar(
  tree: Tree,
  description: Description,
  published: Pick<Manifest, 'asset'>,
): Promise<EditedSidecar> {
  const { path } = description
  if ((await tree.find(repositoryPath(path)))?.kind !== 'file') throw noAsset(path)
  return await editSidecarOf(tree, description, published)
}

async function editSidecarOf(
  tree: Tree,
  { path, edit, precondition }: Description,
  published: Pick<Manifest, 'asset'>,
): Promise<EditedSidecar> {
  const before = await readSidecar(tree, path)
  if (precondition && !precondition(metadataTag(before.metadata)))
    throw new ServiceError(
      'PreconditionFailed',
      'What is known of the asset is not what the request names',
    )
  const { fault: _fault, ...persons } = personsValues(before.metadata)
  const first = firstValuesIn(published.asset(path)?.metadata)
  const metadata = editedMetadata(persons, withFirstValues(persons, first) ?? {}, edit)
  const bytes = serialiseSidecar({ metadata, others: before.others })
  return { path, metadata, isChanged: !isSameMetadata(metadata, before.metadata), bytes }
}

const noAsset = (path: AssetPath) =>
  new ServiceError('AssetNotFound', `No asset at "${path}"`, { target: 'path' })

const changesOf = (edited: readonly EditedSidecar[]): readonly Change[] =>
  edited.filter(({ isChanged }) => isChanged).map(({ path, bytes }) => sidecarChange(path, bytes))

/** How the commit and the audit log name it. */
function deedOf(
  descriptions: readonly Description[],
  published: Pick<Manifest, 'asset'>,
): Omit<ChangeRequest, 'actor'> {
  const paths = descriptions.map(({ path }) => path)
  const zones = [...new Set(paths.map(zoneOf))]
  const [first] = descriptions
  const isOne = descriptions.length === 1
  const what = isOne ? String(first?.path) : `${paths.length} assets of ${zones.join(', ')}`
  const point = isOne && first !== undefined ? focalPointIn(first.edit) : undefined
  return {
    action: point === undefined ? 'asset.describe' : 'asset.focal-point',
    target: isOne ? String(first?.path) : zones.join(','),
    subject: `Describe ${what}`,
    meta: {
      ...(isOne ? { zone: zones[0] } : { zones, assets: paths.length }),
      ...(point !== undefined && { focalPoint: point }),
      ...changedValues(descriptions, published),
    },
  }
}

/** What is set of one asset, as it was and as it becomes, as far as it is short. */
function changedValues(
  [first, second]: readonly Description[],
  published: Pick<Manifest, 'asset'>,
) {
  if (first === undefined || second !== undefined) return {}
  const { path, edit } = first
  const known: Readonly<Record<string, unknown>> = { ...published.asset(path)?.metadata }
  const after: Readonly<Record<string, unknown>> =
    edit.kind === 'set' ? { ...edit.patch } : { tags: { [edit.kind]: edit.tags } }
  const names = Object.keys(after)
  const before = Object.fromEntries(names.map((name) => [name, known[name] ?? null]))
  const isShort = JSON.stringify([before, after]).length <= maxAuditedLength
  return isShort ? { before, after } : {}
}

const maxAuditedLength = 3_000

/** Where nothing else is said. */
function focalPointIn(edit: MetadataEdit) {
  if (edit.kind !== 'set') return undefined
  const { focalPoint, ...others } = edit.patch
  return Object.keys(others).length === 0 ? focalPoint : undefined
}
